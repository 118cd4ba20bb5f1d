/**
 * What a hunt has reached: states and moves of jobs, kinds of events, and features. What was never reached was never tested.
 */
import { type Fold, kinds, type WorldKinds } from "../trace/index.ts";

/** Moves of a job, as the trace shows them: what came before, and what then happened. */
export const MOVES = [
  "created > locked",
  "created > failed",
  "created > refunded",
  "locked > processing",
  "locked > refunded",
  "processing > first token",
  "processing > failed",
  "processing > refunded",
  "first token > last token",
  "first token > refunded",
  "first token > failed",
  "last token > settling",
  "settling > paid",
  "settling > disputed",
  "settling > failed",
  "paid > settled",
  "paid > disputed",
  "settled > disputed",
  "settled > unsettled",
  "unsettled > settled",
  "refunded > late",
  "refunded > locked",
  "disputed > found fraudulent",
  "disputed > found honest",
] as const;

const STATE_OF: Readonly<Partial<Record<keyof WorldKinds, string>>> = {
  "job.created": "created",
  "job.locked": "locked",
  "job.processing": "processing",
  "job.firstToken": "first token",
  "job.lastToken": "last token",
  "job.settling": "settling",
  "job.paid": "paid",
  "job.settled": "settled",
  "job.unsettled": "unsettled",
  "job.resettled": "settled",
  "job.failed": "failed",
  "job.refunded": "refunded",
};

/** Counts by name. Plain data: threads send it to one another. */
export interface Coverage {
  readonly features: Record<string, number>;
  readonly moves: Record<string, number>;
  readonly kinds: Record<string, number>;
}

export function emptyCoverage(features: readonly string[]): Coverage {
  const zeros = (names: readonly string[]): Record<string, number> =>
    Object.fromEntries(names.map((name) => [name, 0]));
  return { features: zeros(features), moves: zeros(MOVES), kinds: zeros(kinds.names) };
}

export function addCoverage(sum: Coverage, more: Coverage): void {
  for (const part of ["features", "moves", "kinds"] as const) {
    for (const [name, count] of Object.entries(more[part])) sum[part][name] = (sum[part][name] ?? 0) + count;
  }
}

/** Counts what one world reaches into `into`. */
export class CoverageFold implements Fold<WorldKinds> {
  readonly on: Fold<WorldKinds>["on"];
  readonly #moves: Record<string, number>;
  readonly #state: string[] = [];

  constructor(into: Coverage) {
    this.#moves = into.moves;
    const on: Record<string, (time: number, ...fields: number[]) => void> = {};
    for (const kind of kinds.names) {
      const state = STATE_OF[kind];
      on[kind] = (_time, ...fields) => {
        into.kinds[kind]!++;
        if (state !== undefined) this.#enter(fields[0]!, state);
        else if (kind === "job.disputed") this.#move(`${this.#state[fields[0]!]} > disputed`);
        else if (kind === "job.late") this.#move(`${this.#state[fields[0]!]} > late`);
        else if (kind === "dispute.decided")
          this.#move(`disputed > found ${fields[2] === 1 ? "fraudulent" : "honest"}`);
      };
    }
    this.on = on as Fold<WorldKinds>["on"];
  }

  #enter(job: number, state: string): void {
    const before = this.#state[job];
    if (state !== "created" && before !== undefined) this.#move(`${before} > ${state}`);
    this.#state[job] = state;
  }

  #move(move: string): void {
    this.#moves[move] = (this.#moves[move] ?? 0) + 1;
  }
}
