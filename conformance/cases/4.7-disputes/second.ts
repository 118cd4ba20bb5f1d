/** Section 4.7: a job is disputed once, whoever asks how often, one after another or at the same time. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { defineCase } from "../case.ts";
import { disputable, leaveIfLate, openDispute } from "../support/disputed.ts";
import { sha256 } from "../support/hash.ts";
import { opened, proofHash, readJob, statusOf } from "../support/jobs.ts";
import { opensDisputes } from "../support/may.ts";
import { formsToTry } from "../support/money.ts";

/** The dispute transactions that a number of answers tell of. */
function transactions(answers: readonly Exchange[]): readonly string[] {
  const told = answers.flatMap((answer) => {
    const tx = succeeded(answer) ? at(answer.json, "dispute_tx") : undefined;
    return typeof tx === "string" && tx !== "" ? [tx] : [];
  });
  return [...new Set(told)];
}

/** One after another: refused, or answered with the first result; with the same hash, with another, and with the worker's own. */
const second = defineCase({
  id: "4.7/second",
  title: "a second dispute of a job makes no second transaction, and does not undo the first",
  requirements: ["3.1/17", "4.7/16", "4.7/17"],
  needs: ["credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    opensDisputes(t);
    for (const changes of formsToTry(t)) {
      const { done, settled, answer } = await openDispute(t, changes);
      const answers = [answer];
      const own = proofHash(settled) ?? "";
      for (const hash of [String(at(answer.request.json, "received_output_hash")), sha256("a third"), own]) {
        const again = await t.api.dispute(done.jobId, hash);
        answers.push(again);
        const exchanges = [answer, again];
        const told = { seen: `${again.status} ${again.text}`, exchanges };
        t.check("4.7/17", transactions(answers).length === 1, {
          ...told,
          expected: `no other \`dispute_tx\` than ${transactions([answer])}`,
        });
        if (again.status >= 500)
          t.fail("4.7/17", {
            ...told,
            title: "A second dispute upsets the service.",
            expected: "409, 422 or the first result",
          });
        t.observe("4.7/16", succeeded(again) ? "the first result once more" : `refused with ${again.status}`);
        const job = await readJob(t, done.jobId);
        const kept = { expected: "disputed still", seen: job.text, exchanges: [...exchanges, job] };
        if (!t.check("3.1/17", statusOf(job) === "disputed", kept)) return;
      }
    }
  },
});

/** At the same time: some order of the requests explains the answers, so that one of them opened the dispute and no other did. */
const parallel = defineCase({
  id: "4.7/parallel",
  title: "disputes of one job at the same time open one dispute, with one transaction",
  requirements: ["4.7/3", "4.7/4", "4.7/17"],
  needs: ["credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    opensDisputes(t);
    for (const stream of [false, true]) {
      const { done, posted } = await disputable(t, { stream });
      const hashes = [sha256("one"), sha256("two"), posted, sha256("one"), sha256("three"), sha256("four")];
      const calls = hashes.map((hash) => t.api.dispute(done.jobId, hash).start());
      await t.clock.settle();
      const answers = await Promise.all(calls.map((call) => call.finish()));
      const seen = answers.map((answer) => `${answer.status} ${answer.text}`);
      const told = { seen, exchanges: answers };
      for (const answer of answers) leaveIfLate(t, done, answer);
      const upset = answers.some((answer) => answer.status >= 500 || answer.ending !== "answered");
      if (!t.check("4.7/17", !upset && transactions(answers).length <= 1, { ...told, expected: "one `dispute_tx`" }))
        return;
      if (!t.check("4.7/3", answers.some(opened), { ...told, expected: "one of them opened" })) return;
      const job = await readJob(t, done.jobId);
      t.check("4.7/4", statusOf(job) === "disputed", {
        expected: "disputed",
        seen: job.text,
        exchanges: [...answers, job],
      });
    }
  },
});

/** The event is sent once for a job, though it was asked for many times. */
const event = defineCase({
  id: "4.7/one-event",
  title: "a job that is disputed twice, at once and later, is told of by one `job.disputed`",
  requirements: ["4.7/17"],
  needs: ["credits", "receiver"],
  cost: (prices) => prices.flat,
  async run(t) {
    opensDisputes(t);
    const hook = await t.subscribe({ events: ["job.disputed"] });
    const { done } = await disputable(t);
    const calls = [sha256("one"), sha256("two")].map((hash) => t.api.dispute(done.jobId, hash).start());
    await t.clock.settle();
    await Promise.all(calls.map((call) => call.finish()));
    await t.api.dispute(done.jobId, sha256("three"));
    if (t.clock.affords(40_000)) await t.clock.advance(40_000);
    // An attempt may be repeated; two events are two ids.
    const ids = new Set(hook.endpoint.of("job.disputed").map((delivery) => delivery.eventId));
    if (ids.size === 0) t.leaveOut("no `job.disputed` came, which another case is about");
    const told = { title: "Two disputes of one job were announced.", expected: "one event", seen: [...ids] };
    t.check("4.7/17", ids.size === 1, told);
  },
});

/** After the verdict, within the window still, the job has had its dispute: no second one is opened. */
const afterVerdict = defineCase({
  id: "4.7/after-verdict",
  title: "after the verdict a job is not disputed a second time",
  requirements: ["4.7/17"],
  needs: ["credits", "arbitration"],
  cost: (prices) => prices.flat,
  async run(t) {
    opensDisputes(t);
    const { done, answer } = await openDispute(t);
    await t.controls.giveVerdict(done.jobId, "honest");
    const again = await t.api.dispute(done.jobId, sha256("once more"));
    const shown = { seen: `${again.status} ${again.text}`, exchanges: [answer, again] };
    t.check("4.7/17", transactions([answer, again]).length === 1 && again.status < 500, {
      ...shown,
      expected: "one `dispute_tx`",
    });
  },
});

export const secondCases = [second, parallel, event, afterVerdict];
