/**
 * The evidence of one attempt at a case: everything its checks and the monitors said of its exchanges. It is weighed only when the attempt is
 * over, so that a repeat in a fresh state can tell a fault from a flake.
 */
import { type RequirementId, requirement } from "../../fixtures/protocol/requirements/index.ts";
import type { Shown } from "../cases/case.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Evidence, Fault } from "../findings/evidence.ts";

/** Ends one run of a property: its check failed. Nobody but the property catches it. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.title);
    this.fault = fault;
  }
}

/** What a monitor says again and again of one attempt is said once. */
const repeats = (each: Evidence): string | null => {
  if (each.source.by === "case" || each.kind === "failed") return null;
  return `${each.kind} ${each.requirement} ${each.source.by} ${each.kind === "observed" ? each.choice : ""}`;
};

export interface Attempt {
  readonly case: string;
  readonly evidence: readonly Evidence[];
  readonly exchanges: readonly Exchange[];
  readonly add: (evidence: Evidence) => void;
  readonly saw: (exchange: Exchange) => void;
  /** The rows of the case that have no evidence yet. */
  undecided(rows: readonly RequirementId[]): readonly RequirementId[];
  /** Keeps the evidence that follows apart, until it is taken or dropped: one run of a property. */
  begin(): { readonly keep: () => void; readonly drop: () => void };
}

export function makeAttempt(id: string): Attempt {
  let evidence: Evidence[] = [];
  const exchanges: Exchange[] = [];
  const said = new Set<string>();
  return {
    case: id,
    get evidence() {
      return evidence;
    },
    exchanges,
    add: (each) => {
      const repeated = repeats(each);
      if (repeated !== null && said.has(repeated)) return;
      if (repeated !== null) said.add(repeated);
      evidence.push(each);
    },
    saw: (exchange) => {
      exchanges.push(exchange);
    },
    undecided: (rows) => rows.filter((row) => !evidence.some((each) => each.requirement === row)),
    begin() {
      const before = evidence;
      const mine: Evidence[] = [];
      evidence = mine;
      const back = (all: Evidence[]): void => {
        if (evidence === mine) evidence = all;
      };
      return {
        keep: () => back([...before, ...mine]),
        // What the monitors saw stands, whatever becomes of the run.
        drop: () => back([...before, ...mine.filter((each) => each.source.by !== "case")]),
      };
    },
  };
}

/** A fault in the words of a check. Titles default to the row's own text. */
export function faultOf(id: RequirementId, shown: Shown, exchanges: readonly Exchange[]): Fault {
  const row = requirement(id);
  const named = shown.exchanges;
  const list: readonly Exchange[] =
    named === undefined ? exchanges.slice(-1) : "number" in named ? [named] : (named as readonly Exchange[]);
  return {
    requirement: id,
    title: shown.title ?? row.text,
    expected: shown.expected ?? row.text,
    seen: show(shown.seen),
    exchanges: [...new Set(list.map((exchange) => exchange.number))].sort((a, b) => a - b),
  };
}

/** Text as it is, everything else as JSON, neither without end. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 1_000 ? `${text.slice(0, 1_000)}...` : text;
}
