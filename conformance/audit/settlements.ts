/**
 * Jobs that never settle, one among many (sections 3.1, 4.1). How long a settlement takes is not stated; but where all others of a run have settled
 * soon, one that is still in flight long afterwards will not.
 */

import { completedFrom } from "../checks/completed.ts";
import { jobsIn } from "../checks/monitors/jobs.ts";
import { at, type Exchange } from "../exchange/exchange.ts";
import type { Evidence } from "../findings/evidence.ts";

/** Milliseconds after its answer until which a job was seen unfinished, and within which all others had settled. */
const LONG = 250_000;
const SOON = 60_000;
/** So many others make a rule. */
const OTHERS = 10;

const UNFINISHED: readonly unknown[] = ["pending", "processing", "settling"];

interface Life {
  readonly answered: Exchange;
  /** When it was last seen unfinished, and first seen otherwise; milliseconds after its answer. */
  unfinished: number;
  ended: number | null;
  seen: Exchange;
}

export function auditSettlements(log: readonly Exchange[], brand: string): readonly Evidence[] {
  const lives = livesOf(log, brand);
  const ended = lives.flatMap((life) => (life.ended === null ? [] : [life.ended]));
  if (ended.length < OTHERS || Math.max(...ended) > SOON) return [];
  return lives
    .filter((life) => life.ended === null && life.unfinished >= LONG)
    .map((life): Evidence => {
      const requirement = "3.1/8" as const;
      const fault = {
        requirement,
        title: "a job whose completion was delivered never settles, though all others do",
        expected: `\`settled\`, as ${ended.length} others within ${Math.max(...ended) / 1_000} s`,
        seen: `${String(at(life.seen.json, "status"))}, ${life.unfinished / 1_000} s after its answer`,
        exchanges: [life.answered.number, life.seen.number],
      };
      return { kind: "failed", requirement, source: { case: life.seen.case, by: "audit:settlements" }, fault };
    });
}

function livesOf(log: readonly Exchange[], brand: string): readonly Life[] {
  const lives = new Map<string, Life>();
  for (const exchange of log) {
    if (exchange.endpoint === "POST /v1/chat/completions") {
      const done = completedFrom(exchange, brand);
      if (done !== null) lives.set(done.jobId, { answered: exchange, unfinished: 0, ended: null, seen: exchange });
    }
    for (const job of jobsIn(exchange)) {
      const life = lives.get(String(at(job, "id")));
      if (life === undefined || life.ended !== null) continue;
      const after = exchange.endedAt - life.answered.endedAt;
      life.seen = exchange;
      if (UNFINISHED.includes(at(job, "status"))) life.unfinished = Math.max(life.unfinished, after);
      // A job that was not looked at for hours was settled long before.
      else life.ended = Math.min(after, life.unfinished + SOON);
    }
  }
  return [...lives.values()];
}
