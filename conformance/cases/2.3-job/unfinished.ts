/** Section 2.3: the fields of a job that is not finished, or ended without a result. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel } from "../case.ts";
import { HASH } from "../support/hash.ts";
import { begin } from "../support/in-flight.ts";
import { ENDED, readJob, statusOf, UNFINISHED } from "../support/jobs.ts";
import { isWhole } from "../support/values.ts";

const isText = (value: unknown): boolean => typeof value === "string";
const matches =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === "string" && form.test(value);

/** Fields that a job gets later, each with the test of its type. */
const LATER: readonly (readonly [path: readonly string[], typed: (value: unknown) => boolean, type: string])[] = [
  [["credits_charged"], isWhole, "an integer"],
  [["usdg_value"], (value) => typeof value === "number", "a number"],
  [["worker_address"], matches(/^0x[0-9a-fA-F]{40}$/), "0x and 40 hex digits"],
  [["completed_at"], matches(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/), "ISO 8601 UTC"],
  [["on_chain"], (value) => typeof value === "object" && !Array.isArray(value), "an object"],
  [["on_chain", "escrow_tx"], matches(/^0x[0-9a-fA-F]{64}$/), "a transaction hash"],
  [["on_chain", "settlement_tx"], matches(/^0x[0-9a-fA-F]{64}$/), "a transaction hash"],
  [["on_chain", "escrow_address"], isText, "a text"],
  [["on_chain", "block_number"], isWhole, "an integer"],
  [["on_chain", "proof_hash"], matches(HASH), "sha256: and 64 hex digits"],
  [["usage"], (value) => typeof value === "object" && !Array.isArray(value), "an object"],
  [["usage", "prompt_tokens"], isWhole, "an integer"],
  [["usage", "completion_tokens"], isWhole, "an integer"],
  [["usage", "total_tokens"], isWhole, "an integer"],
];

/** A field that is there and not null has its type; the fields that every job has from the start are there. */
function judge(t: CaseContext, job: Exchange, model: ListedModel): void {
  for (const [path, typed, type] of LATER) {
    const value = at(job.json, ...path);
    if (value === undefined || value === null) continue;
    t.check("2.3/20", typed(value), {
      expected: `\`${path.join(".")}\` absent, null or ${type}`,
      seen: value,
      exchanges: job,
    });
  }
  const known = at(job.json, "model") === model.id && at(job.json, "tier") === model.tier;
  t.check("2.3/3", known, { expected: `${model.id}, ${model.tier}`, seen: job.text, exchanges: job });
  t.check("2.3/9", Number.isFinite(Date.parse(String(at(job.json, "created_at")))), {
    expected: "`created_at`, ISO 8601 UTC, from the start",
    seen: at(job.json, "created_at"),
    exchanges: job,
  });
}

/** While a job waits and while it is worked on, what is not known yet is absent or null, and what is there has its type. */
const unfinished = defineCase({
  id: "2.3/unfinished",
  title: "a job in flight shows nothing of the wrong type, in each form of a request",
  requirements: ["2.3/3", "2.3/9", "2.3/19", "2.3/20"],
  needs: ["credits", "behaviours"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const model = t.model();
    await t.behave(model, "silent");
    for (const stream of [false, true]) {
      const { jobId } = await begin(t, { model: model.id, stream });
      for (const span of [0, 1, 500, 3_000, 20_000]) {
        if (span > 0 && !t.clock.affords(span)) break;
        if (span > 0) await t.clock.advance(span);
        const job = await readJob(t, jobId);
        if (!UNFINISHED.includes(statusOf(job) ?? "")) break;
        judge(t, job, model);
        t.observe("2.3/19", shown(job));
      }
    }
  },
});

/** In which words the later fields are missing: the open point of 2.3/19. */
function shown(job: Exchange): string {
  const usage = at(job.json, "usage");
  const chain = at(job.json, "on_chain");
  const words = (value: unknown): string => (value === undefined ? "absent" : value === null ? "null" : "there");
  return `\`usage\` ${words(usage)}, \`on_chain\` ${words(chain)}`;
}

/** A job that failed or was refunded has no result, and still nothing of the wrong type. */
const without = defineCase({
  id: "2.3/without-result",
  title: "a failed job shows nothing of the wrong type",
  requirements: ["2.3/3", "2.3/9", "2.3/20"],
  needs: ["credits", "behaviours"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const model = t.model();
    await t.behave(model, "failing");
    for (const stream of [false, true]) {
      const { jobId, pending } = await begin(t, { model: model.id, stream });
      await pending.finish();
      const job = await t.jobWhen(jobId, ENDED, { within: 130_000 });
      if (job === null) return t.giveUp("a job whose worker dropped out never ended");
      judge(t, job, model);
    }
  },
});

export const unfinishedJobs = [unfinished, without];
