/** Section 4.5: `GET /v1/jobs/{job_id}`. */
import { at, errorCode, refused, succeeded } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { begin } from "./support/in-flight.ts";
import { readJob } from "./support/jobs.ts";
import { follow } from "./support/live-stream.ts";

/** The response is the job object; and the receipt of a completion, in one piece or streamed, names a job that is known. */
const known = defineCase({
  id: "4.5/known",
  title: "the job of a completion's receipt is answered with the job object",
  requirements: ["4.5/1", "4.5/4"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    for (const stream of [false, true]) {
      const done = await t.complete({ stream });
      const job = await t.api.job(done.jobId);
      const exchanges = [done.exchange, job];
      if (!t.check("4.5/4", job.status === 200, { expected: "200", seen: `${job.status} ${job.text}`, exchanges }))
        return;
      const whole = at(job.json, "object") === "job" && at(job.json, "id") === done.jobId;
      t.check("4.5/1", whole, { expected: `the job ${done.jobId}`, seen: job.text, exchanges });
    }
  },
});

/** A receipt names a job that is known at once: while it is in flight, too. */
const early = defineCase({
  id: "4.5/known-in-flight",
  title: "a job can be read as soon as a stream or the list has named it",
  requirements: ["4.5/1", "4.5/4"],
  alone: true,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const pending = t.api.say({ stream: true, max_tokens: 16 }).start();
    const stream = follow(pending);
    const named = () => stream.look().jobId;
    await t.clock.advanceUntil(() => named() !== null || pending.settled, { within: 60_000, step: 20 });
    const id = named() ?? t.giveUp("a stream named no job");
    const job = await t.api.job(id);
    const told = { expected: "200: the stream has named it", seen: `${job.status} ${job.text}`, exchanges: job };
    const known = t.check("4.5/4", job.status === 200, told);
    t.accepted(await pending.finish(), "a stream");
    if (!known) return;
    const plain = await begin(t);
    const listed = await t.api.job(plain.jobId);
    const seen = { expected: "200: the list has shown it", seen: `${listed.status} ${listed.text}`, exchanges: listed };
    t.check("4.5/1", at(listed.json, "id") === plain.jobId, seen);
    await plain.pending.finish();
  },
});

/** An identifier of no job is answered 404; whatever else is in its place is refused too, and tells nothing of the service's inside. */
const unknown = defineCase({
  id: "4.5/unknown",
  title: "an identifier of no job is answered 404 with an error object, in whatever shape it comes",
  requirements: ["4.5/2", "7.1/3"],
  needs: ["credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    const { jobId } = await t.complete();
    await readJob(t, jobId);
    const { length } = jobId;
    const wellFormed = [
      `job_${t.random.text(Math.max(1, length - 4))}`,
      `${jobId}0`,
      jobId.slice(0, -1),
      `job_${"0".repeat(24)}`,
    ];
    for (const id of wellFormed) {
      const answer = await t.api.job(id);
      // Where ids are numbers in a row, one that is made of another may be a job's: of this wallet, or of another.
      const isSome = (answer.status === 200 && at(answer.json, "id") === id) || answer.status === 403;
      if (/^job_\d+$/.test(id) && isSome) continue;
      const ok = answer.status === 404 && typeof errorCode(answer) === "string";
      t.check("4.5/2", ok, { expected: "404 with an error object", seen: `${answer.status} ${answer.text}` });
      t.observe("7.1/3", `a job: ${answer.status} \`${errorCode(answer)}\``);
    }
    const odd = [
      ...["job_", "0", "-1", "null", "undefined", "*", "%", "' OR '1'='1", "../account", "..%2F..%2Fetc%2Fpasswd"],
      ...[
        "job_\u0000",
        "job_\r\nx-injected: 1",
        "été",
        "{job_id}",
        "__proto__",
        "constructor",
        jobId.replace("job_", "wh_"),
      ],
      ...["x".repeat(2_000), ` ${jobId.slice(0, 8)}`, `chatcmpl-${jobId}`],
    ];
    for (const id of odd) {
      const answer = await t.api.job(id);
      const told = {
        title: "An odd identifier is not refused, or upsets the service.",
        seen: `${answer.status} ${answer.text}`,
      };
      // A path that climbs may be led back to where it belongs before any endpoint sees it.
      if (id.includes("..") && answer.status >= 300 && answer.status < 400) continue;
      if (!t.check("4.5/2", refused(answer), { ...told, expected: "a 4xx" })) continue;
      t.check("4.5/2", !answer.headers.has("x-injected"), {
        title: "An identifier writes a header of the answer.",
        expected: "no header of the client's making",
        seen: answer.headers.entries.map(([name]) => name),
      });
      if (INTERNALS.test(answer.text)) t.observe("7.1/3", "an error message shows internals");
    }
    const still = await t.api.job(jobId);
    t.check("4.5/2", succeeded(still), {
      title: "A known job is not found any more.",
      expected: "200",
      seen: still.status,
    });
  },
});

/** What a stack, a query or a path of the service's machine looks like. Observed only: no sentence of the contract forbids it. */
const INTERNALS =
  /\bat .+:\d+:\d+|node_modules|Traceback|SELECT .+ FROM|\bENOENT\b|\/(usr|app|srv|var)\/|\.(js|ts|py|go):\d+/;

export const section45 = [known, early, unknown];
