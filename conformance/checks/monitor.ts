/**
 * A monitor judges every exchange of a run, whatever case sent it. It is pure but for what it remembers of earlier exchanges, and gives
 * evidence for the rows that it names: a pass where the row was put to the test, a failure with what was expected and seen.
 */
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redact.ts";
import type { Delivery } from "../receiver/receiver.ts";

/** What a monitor says of one exchange or delivery. */
export type Judgement =
  | { readonly kind: "passed"; readonly requirement: RequirementId }
  | {
      readonly kind: "failed";
      readonly requirement: RequirementId;
      /** Without ids or numbers that vary; default: the row's text. */
      readonly title?: string | undefined;
      readonly expected: string;
      readonly seen: unknown;
      /** Earlier exchanges that belong to it. */
      readonly with?: readonly Exchange[] | undefined;
    }
  | {
      readonly kind: "observed";
      readonly requirement: RequirementId;
      readonly choice: string;
      readonly consistent?: boolean | undefined;
    };

export interface MonitorContext {
  readonly brand: string;
  readonly secrets: Secrets;
  /** The service's time, milliseconds since 1970. */
  readonly now: () => number;
  /** Whether that time is exact: the clock is the service's own. */
  readonly exactClock: boolean;
}

export interface Monitor {
  readonly name: string;
  /** The rows that it can give evidence for. */
  readonly rows: readonly RequirementId[];
  see(exchange: Exchange, context: MonitorContext): Iterable<Judgement>;
  /** A webhook delivery, as it arrived. */
  hear?(delivery: Delivery, context: MonitorContext): Iterable<Judgement>;
}

/** How a judgement is told when it is a failure. */
export interface Told {
  readonly expected: string;
  readonly seen: unknown;
  readonly title?: string | undefined;
  readonly with?: readonly Exchange[] | undefined;
}

/** A pass when the condition holds, else a failure. */
export function judge(requirement: RequirementId, condition: boolean, told: Told): Judgement {
  return condition ? { kind: "passed", requirement } : { kind: "failed", requirement, ...told };
}
