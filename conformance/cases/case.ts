/**
 * What a case is, and everything that it is given. `README.md` of this room shows how one is written.
 */
import type { Arbitrary } from "fast-check";
import type { Need, RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Receiver, ReceiverEndpoint, Script } from "../receiver/receiver.ts";
import type { Chain } from "../target/chain.ts";
import type { Clock } from "../target/clock.ts";
import type { Behaviour, Controls } from "../target/controls.ts";
import type { Random } from "../target/random.ts";
import type { Api } from "./api.ts";

export type { Need, RequirementId };

/** A case: what is done, what must come back. */
export interface Case {
  /** The section (or the first requirement) and a name: `4.7/late-dispute`. Unique; it is also the selector of `--only`. */
  readonly id: string;
  /** One line in plain words: what a reader of the report should know that was tried. */
  readonly title: string;
  /** The rows that the case can give evidence for. Evidence for any other row is a fault of the case. */
  readonly requirements: readonly RequirementId[];
  /** What must be at hand. Left out, it is what all its requirements need together. */
  readonly needs?: readonly Need[];
  /** Units that the case's own wallet is made with, where wallets can be made. Default 5,000. */
  readonly wallet?: number;
  /**
   * Whether nothing else of the run may go on in the same wallet meanwhile: the case watches a given wallet's balance, or which jobs come into its list.
   * Other paid cases go on beside each other where all there is to do is wait.
   */
  readonly alone?: boolean;
  /** The most units that one run of the case takes from a given key's wallet, at the prices listed; printed in the plan. */
  readonly cost?: (prices: Prices) => number;
  run(t: CaseContext): Promise<void>;
}

/** The cheapest prices of the target's list, for estimates. */
export interface Prices {
  /** Flat price of the cheapest listed model. */
  readonly flat: number;
  /** Its price per 1,000 output tokens. */
  readonly perThousand: number;
}

export type Tier = "lite" | "standard" | "pro" | "max";

/** A listed model, in the words of the contract but for the brand. Read once at the start of the run. */
export interface ListedModel {
  readonly id: string;
  readonly tier: Tier;
  readonly credits_per_request: number;
  readonly credits_per_1k_tokens: number;
  readonly context_window: number;
}

/** A wallet that the case may spend from. */
export interface Wallet {
  readonly key: string;
  readonly api: Api;
  /** The address where the controls made the wallet; null for a given key. */
  readonly address: string | null;
  /** Whether it was made for this case alone. A given key's wallet has a past, and its owner may use it meanwhile. */
  readonly fresh: boolean;
  /** `credits_remaining` of `GET /v1/account`. Ends the case as inconclusive when there is no such answer. */
  balance(): Promise<number>;
  /** Buys units by the controls (capability `wallets`; a fresh wallet only). Resolves to the balance that the controls tell. */
  topUp(credits: number): Promise<number>;
}

/** A webhook that was registered with an endpoint of the receiver. Deleted at the end of the case. */
export interface Subscription {
  readonly id: string;
  readonly secret: string;
  readonly endpoint: ReceiverEndpoint;
  /** The exchange that created it. */
  readonly created: Exchange;
}

/** A completion that was accepted: the fields that cases use, already checked for their types. */
export interface Completed {
  readonly exchange: Exchange;
  /** From the receipt, else from the completion's id. */
  readonly jobId: string;
  /** `choices[0].message.content`, or the joined contents of a stream. */
  readonly text: string;
  /** Null where the answer tells no usage, as a stream need not. */
  readonly completionTokens: number | null;
  readonly promptTokens: number | null;
}

/** What a report shows of one check. `exchanges` left out means the last one of the case. */
export interface Shown {
  /** One line for the fault, without ids or numbers that vary: equal titles are one finding. Default: the row's text. */
  readonly title?: string;
  readonly expected?: string;
  /** Shown as it is when it is text, else as JSON. */
  readonly seen?: unknown;
  readonly exchanges?: Exchange | readonly Exchange[];
}

/** How a property is tried. */
export interface PropertyOptions<Value> {
  readonly arbitrary: Arbitrary<Value>;
  /** The most units that one run takes from a given key's wallet; runs stop when the budget would be passed. Default 0. */
  readonly cost?: (value: Value) => number;
  /** Default: `--runs` (25). */
  readonly runs?: number;
  /** Rows that say little by themselves: a shorter run that breaks another row in their place tells more. Other rows stay. */
  readonly vague?: readonly RequirementId[];
  /** One line for a value, shown with the counterexample. Default JSON. */
  readonly show?: (value: Value) => string;
  /** One run. A failed `t.check` ends it, and starts the shrinking. */
  run(value: Value): Promise<void>;
}

/** Everything that a running case is given. */
export interface CaseContext {
  /** The service as the case's own wallet sees it: a fresh wallet where they can be made, else the first given key's. */
  readonly api: Api;
  /** That wallet. */
  readonly home: Wallet;
  readonly clock: Clock;
  readonly controls: Controls;
  readonly receiver: Receiver;
  /** The settlement chain; null without `--rpc` (need `chain`). */
  readonly chain: Chain | null;
  /** Brand of the target, `service` by default: header names are `x-${brand}-job-id`. */
  readonly brand: string;
  /** Draws of this case alone: the same seed draws the same whichever cases run. */
  readonly random: Random;
  /** Default number of runs of a property (`--runs`). */
  readonly runs: number;
  /** Every exchange of this case so far, in the order of sending. */
  readonly exchanges: readonly Exchange[];
  /** Whether the run has it. For a case that does more when it can, and says so by `notExercised` when it cannot. */
  has(need: Need): boolean;

  /** The service as another key sees it; null sends no key. */
  as(key: string | null): Api;
  /** A further wallet of the case with exactly these units (default 5,000). Needs `wallets`, else ends the case. */
  wallet(options?: { readonly credits?: number }): Promise<Wallet>;
  /** A wallet that is not the case's own: fresh, or that of another given key. Ends the case when there is none. */
  otherWallet(options?: { readonly credits?: number }): Promise<Wallet>;

  /** Listed models, cheapest first. Never empty. */
  models(): readonly ListedModel[];
  /** The cheapest listed model, of a tier when one is asked for. Ends the case as not exercised when there is none. */
  model(tier?: Tier): ListedModel;
  /** Makes every worker of a model behave so, until the end of the case. */
  behave(model: string | ListedModel, behaviour: Behaviour, outputTokens?: number): Promise<void>;

  /** A valid chat, as `api.say`, that must be answered 200 with a completion or a whole stream; else the case ends as inconclusive. */
  complete(changes?: Readonly<Record<string, unknown>>, api?: Api): Promise<Completed>;
  /** Reads a job again and again, moving the clock, until its status is one of `statuses`; null when it is not `within` (default 60,000 ms). */
  jobWhen(
    jobId: string,
    statuses: readonly string[],
    options?: { readonly within?: number; readonly api?: Api },
  ): Promise<Exchange | null>;
  /** Registers a webhook with a fresh endpoint of the receiver. Ends the case when it is refused. */
  subscribe(options: {
    readonly events: readonly string[];
    readonly script?: Script;
    readonly secret?: string;
    readonly api?: Api;
  }): Promise<Subscription>;

  /**
   * Evidence for a row: passed when `condition` holds, else failed. Returns `condition`, and narrows nothing: a check that must hold for the rest
   * to make sense is written `if (!t.check(...)) return`.
   */
  check(requirement: RequirementId, condition: boolean, shown?: Shown): boolean;
  pass(requirement: RequirementId): void;
  fail(requirement: RequirementId, shown: Shown): void;
  /**
   * What the target chose at an open point, in a few stable words. With `consistent`, two different choices in one run fail the row:
   * say so only where judging.md calls that a failure.
   */
  observe(
    requirement: RequirementId,
    choice: string,
    options?: { readonly consistent?: boolean; readonly exchanges?: Exchange | readonly Exchange[] },
  ): void;
  inconclusive(requirement: RequirementId, reason: string): void;
  notExercised(requirement: RequirementId, reason: string): void;

  /** A positive control: the answer must be 2xx, or the case ends, and what it has not decided yet is inconclusive. */
  accepted(exchange: Exchange, what?: string): void;
  /** Ends the case: what it has not decided yet is inconclusive. */
  giveUp(reason: string): never;
  /** Ends the case: what it has not decided yet was not exercised. */
  leaveOut(reason: string): never;

  /** A property over generated values: see `PropertyOptions`. The shortest counterexample becomes the finding, with its replay path. */
  property<Value>(options: PropertyOptions<Value>): Promise<void>;
}

/** Declares a case. It only checks its shape: nothing runs until the harness says so. */
export function defineCase(definition: Case): Case {
  return definition;
}
