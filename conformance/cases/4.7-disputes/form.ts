/** Section 4.7: the body of a dispute. `received_output_hash` is a string, required, of the form `sha256:<hex>`. */
import { errorCode, refused, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { type Disputable, disputable, disputeOf } from "../support/disputed.ts";
import { HASH } from "../support/hash.ts";
import { opened, readJob, statusOf } from "../support/jobs.ts";
import { refusedAsInvalid } from "../support/refusals.ts";

const HEX = "0123456789abcdef".repeat(4);

/** Bodies without the field. */
const missing: readonly unknown[] = [{}, { hash: `sha256:${HEX}` }, { receivedOutputHash: `sha256:${HEX}` }];

/** Values of another type or form. Each would be another hash than the worker's, if it were taken for one. */
const malformed: readonly unknown[] = [
  ...[1, true, [], {}, [`sha256:${HEX}`], { sha256: HEX }],
  ...[
    "",
    "sha256:",
    HEX,
    `sha256:${HEX.slice(1)}`,
    `sha256:${HEX}0`,
    `sha256:${HEX.slice(1)}g`,
    `sha256:0x${HEX.slice(2)}`,
  ],
  ...[
    `sha512:${HEX}`,
    `md5:${HEX.slice(32)}`,
    `sha1:${HEX.slice(24)}`,
    `SHA-256:${HEX}`,
    `sha256-${HEX}`,
    `sha256: ${HEX}`,
  ],
  ...[
    `sha256:${HEX}\n`,
    ` sha256:${HEX}`,
    `sha256:${HEX} `,
    `x sha256:${HEX}`,
    `sha256:${HEX}, sha256:${HEX}`,
    "not a hash",
  ],
];

/** After refusals the job is as it was, and a dispute without fault is heard. */
async function judgeUntouched(t: CaseContext, { done, posted }: Disputable): Promise<void> {
  const job = await readJob(t, done.jobId);
  t.check("4.7/13", statusOf(job) === "settled", { expected: "settled", seen: job.text, exchanges: job });
  const heard = await disputeOf(t, done, posted);
  t.check("4.7/13", succeeded(heard) && !opened(heard), {
    title: "After a refused dispute a valid one is not heard.",
    expected: "a 2xx",
    seen: `${heard.status} ${heard.text}`,
    exchanges: heard,
  });
}

const form = defineCase({
  id: "4.7/form",
  title: "a dispute without its hash, or with a malformed one, is refused and opens nothing",
  requirements: ["4.7/1", "4.7/2", "4.7/13", "7.1/2"],
  needs: ["credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    const job = await disputable(t, {});
    const { done, posted } = job;
    t.accepted(await disputeOf(t, done, posted), "the worker's own hash");
    for (const body of missing) {
      const answer = await disputeOf(t, done, body as object);
      const told = { seen: `${answer.status} ${answer.text}` };
      const ok = answer.status === 400 && errorCode(answer) === "invalid_request";
      t.check("4.7/1", ok, { ...told, expected: "400 invalid_request" });
      const param = (answer.json as { error?: { param?: unknown } } | undefined)?.error?.param;
      if (ok)
        t.check("7.1/2", String(param).includes("received_output_hash"), {
          ...told,
          expected: "`param` names the field",
        });
    }
    const nothing = await disputeOf(t, done, { received_output_hash: null });
    t.check("4.7/2", refused(nothing), { expected: "a 4xx for null", seen: `${nothing.status} ${nothing.text}` });
    for (const value of malformed) {
      const answer = await disputeOf(t, done, { received_output_hash: value });
      const told = { expected: "400 or 422", seen: `${JSON.stringify(value)}: ${answer.status} ${answer.text}` };
      const title = "A dispute with a malformed hash is not refused.";
      // White space around it may be trimmed by who reads generously: then it is a hash, and not the worker's.
      const trimmed = typeof value === "string" && HASH.test(value.trim()) && !HASH.test(value);
      if (trimmed && opened(answer)) return t.notExercised("4.7/13", "white space around a hash is trimmed");
      if (trimmed && succeeded(answer)) continue;
      if (!t.check("4.7/2", refusedAsInvalid(answer), { ...told, title })) return;
    }
    for (const body of ["", "{", "null", "[]", '"sha256"', "received_output_hash=sha256:00"]) {
      const answer = await t.api.raw({ method: "POST", path: `/v1/jobs/${done.jobId}/dispute`, body });
      t.check("4.7/2", refused(answer), {
        expected: "a 4xx",
        seen: `${JSON.stringify(body)}: ${answer.status} ${answer.text}`,
      });
    }
    await judgeUntouched(t, job);
  },
});

/** An identifier of no job is answered 404, whatever its hash. */
const unknown = defineCase({
  id: "4.7/unknown-job",
  title: "a dispute of an unknown job is answered 404",
  requirements: ["4.7/14"],
  needs: ["credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    const { done, posted } = await disputable(t, {});
    t.accepted(await disputeOf(t, done, posted), "the worker's own hash");
    const ids = [
      `job_${t.random.text(24)}`,
      `${done.jobId}x`,
      done.jobId.slice(0, -1),
      "job_",
      done.jobId.replace("job_", "evt_"),
    ];
    for (const id of ids) {
      for (const hash of [posted, `sha256:${HEX}`]) {
        const answer = await t.api.dispute(id, hash);
        const ok = answer.status === 404 && errorCode(answer) !== null;
        t.check("4.7/14", ok, { expected: "404 with an error object", seen: `${answer.status} ${answer.text}` });
      }
    }
  },
});

export const formCases = [form, unknown];
