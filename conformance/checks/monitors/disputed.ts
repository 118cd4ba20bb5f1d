/** What a dispute leaves as it was: who did the work, how much it was, and what had been put on the chain before. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import { type Judgement, judge } from "../monitor.ts";

const BEYOND_DISPUTE: readonly (readonly string[])[] = [
  ["worker_address"],
  ...["prompt_tokens", "completion_tokens", "total_tokens"].map((name) => ["usage", name]),
  ...["escrow_tx", "escrow_address", "proof_hash"].map((name) => ["on_chain", name]),
];

/** Holds a disputed job against the settled one that it was. */
export function* stillTold(
  job: unknown,
  before: { readonly job: unknown; readonly exchange: Exchange },
): Iterable<Judgement> {
  for (const path of BEYOND_DISPUTE) {
    const [then, now] = [at(before.job, ...path), at(job, ...path)];
    if (then === undefined || then === null) continue;
    yield judge("2.3/23", now === then, {
      title: `a job that is disputed no longer tells its \`${path.join(".")}\` as when it was settled`,
      expected: String(then),
      seen: now,
      with: [before.exchange],
    });
  }
}
