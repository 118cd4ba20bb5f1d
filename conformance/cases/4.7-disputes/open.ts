/** Section 4.7: a hash that differs from the worker's opens a dispute. */
import { succeeded } from "../../exchange/exchange.ts";
import { type Completed, defineCase } from "../case.ts";
import { toldOf } from "../support/deliveries.ts";
import { disputable, disputeOf } from "../support/disputed.ts";
import { honestHashes, nearMiss, sha256 } from "../support/hash.ts";
import { opened, proofHash, readJob, settledJob, statusOf } from "../support/jobs.ts";
import { mayOpenDisputes, opensDisputes } from "../support/may.ts";
import { slack } from "../support/pace.ts";

/** "When they differ, a dispute is opened and the job becomes `disputed`": also when they differ in one digit only. It costs no units. */
const differs = defineCase({
  id: "4.7/differs",
  title: "a hash that differs, were it in one digit, opens a dispute and makes the job `disputed`",
  requirements: ["4.7/3", "4.7/4", "4.7/24"],
  needs: ["credits"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    opensDisputes(t);
    const models = t.home.fresh ? t.models() : [t.model()];
    const others = [
      (posted: string) => nearMiss(posted, "first"),
      (posted: string) => nearMiss(posted, "last"),
      () => sha256("what I wanted to hear"),
      () => sha256(""),
    ];
    for (const [index, other] of [...others, ...models.slice(1).map(() => others[2]!)].entries()) {
      const model = models[index % models.length] ?? t.model();
      const { done, job, posted } = await disputable(t, { model: model.id, stream: index % 2 === 0 });
      const before = await t.home.balance();
      const answer = await disputeOf(t, done, other(posted));
      const told = { seen: `${answer.status} ${answer.text}`, exchanges: [job, answer] };
      if (!t.check("4.7/3", opened(answer), { ...told, expected: "`dispute_opened` true" })) return;
      const after = await readJob(t, done.jobId);
      if (!t.check("4.7/4", statusOf(after) === "disputed", { expected: "disputed", seen: after.text })) return;
      const now = await t.home.balance();
      if (t.home.fresh) t.check("4.7/24", now === before, { expected: String(before), seen: now, exchanges: answer });
    }
  },
});

/** A dispute concerns one job: those beside it, of the same wallet and of others, stay as they are. */
const beside = defineCase({
  id: "4.7/beside",
  title: "a dispute leaves the other jobs of the wallet as they are",
  requirements: ["4.7/4", "4.7/13"],
  needs: ["credits"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    opensDisputes(t);
    const jobs = [await disputable(t), await disputable(t, { stream: true }), await disputable(t)];
    const [first, middle, last] = jobs.map((each) => each.done) as [Completed, Completed, Completed];
    const answer = await disputeOf(t, middle, sha256("nothing of the kind"));
    if (!opened(answer)) t.giveUp("a dispute in time was not opened");
    const statuses = await Promise.all(
      [first, middle, last].map(async ({ jobId }) => statusOf(await t.api.job(jobId))),
    );
    const shown = { seen: statuses, exchanges: answer };
    t.check("4.7/4", statuses[1] === "disputed", { ...shown, expected: "disputed" });
    const kept = statuses[0] === "settled" && statuses[2] === "settled";
    t.check("4.7/13", kept, { ...shown, title: "A dispute changed another job.", expected: "settled beside it" });
  },
});

/** "An opened dispute has all its parts": the status, the transaction, and the event `job.disputed`, once. */
const parts = defineCase({
  id: "4.7/all-its-parts",
  title: "an opened dispute is told by the answer, the job and one `job.disputed`; a refused one by none",
  requirements: ["4.7/13", "4.7/21"],
  needs: ["credits", "receiver"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    opensDisputes(t);
    const hook = await t.subscribe({ events: ["job.disputed"] });
    const told = (id: string) =>
      hook.endpoint.of("job.disputed").filter((delivery) => delivery.jobId === id || delivery.text.includes(id));
    for (const stream of [false, true]) {
      const { done, posted } = await disputable(t, { stream });
      await t.api.dispute(done.jobId, "sha256:short");
      await t.api.dispute(done.jobId, posted);
      if (t.clock.affords(1_000)) await t.clock.advance(1_000);
      const early = told(done.jobId).length;
      const none = { title: "A `job.disputed` was sent without a dispute.", expected: "no event", seen: early };
      if (!t.check("4.7/13", early === 0, none)) return;
      const answer = await disputeOf(t, done, sha256("no"));
      if (!opened(answer)) t.giveUp("a dispute in time was not opened");
      const came = await t.clock.advanceUntil(() => toldOf(hook, "job.disputed", done.jobId).length > 0, {
        within: 60_000,
      });
      const job = await readJob(t, done.jobId);
      const whole = came && statusOf(job) === "disputed" && succeeded(answer);
      t.check("4.7/21", whole, {
        expected: "the status `disputed`, and the event `job.disputed`",
        seen: { event: came, status: statusOf(job) },
        exchanges: [answer, job],
      });
    }
    if (!t.clock.movable) return;
    const { done } = await disputable(t);
    await t.clock.advance(60_001 + slack(t));
    const late = await t.api.dispute(done.jobId, sha256("too late"));
    if (opened(late)) t.giveUp("a late dispute was opened");
    await t.clock.advance(1_000);
    const sent = told(done.jobId).length;
    t.check("4.7/13", sent === 0, {
      title: "A dispute that was refused as late sends `job.disputed`.",
      expected: "no event",
      seen: sent,
      exchanges: late,
    });
  },
});

/** A worker that posts another hash than that of its text is found out by the hash of the text; its own hash does not tell on it. */
const dishonest = defineCase({
  id: "4.7/dishonest",
  title: "when the worker posted another hash, the hash of the delivered text opens a dispute",
  requirements: ["4.7/22", "4.7/4", "4.7/5"],
  needs: ["credits", "behaviours"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    for (const [index, model] of (t.home.fresh ? t.models() : [t.model()]).entries()) {
      for (const stream of index === 0 ? [false, true] : [index % 2 === 0]) {
        await t.behave(model, "dishonest");
        const done = await t.complete({ model: model.id, stream });
        const job = await settledJob(t, done.jobId);
        const posted = proofHash(job) ?? t.giveUp("the job tells no hash");
        const hashes = honestHashes(done.text);
        const exchanges = [done.exchange, job];
        const differ = !hashes.includes(posted.toLowerCase());
        const hidden = {
          title: "The job hides the hash that a dishonest worker posted.",
          expected: "another hash than the text's",
        };
        if (!t.check("4.7/22", differ, { ...hidden, seen: posted, exchanges })) return;
        if (mayOpenDisputes(t)) {
          const answer = await disputeOf(t, done, hashes[0] as string);
          const shown = { seen: `${answer.status} ${answer.text}`, exchanges: [...exchanges, answer] };
          if (!t.check("4.7/22", opened(answer), { ...shown, expected: "a dispute opened" })) return;
          const after = await readJob(t, done.jobId);
          t.check("4.7/4", statusOf(after) === "disputed", {
            expected: "disputed",
            seen: after.text,
            exchanges: after,
          });
        }
        const other = await disputable(t, { model: model.id, stream });
        const own = await disputeOf(t, other.done, other.posted);
        const kept = succeeded(own) && !opened(own);
        const told = { expected: "no dispute: the posted hash", seen: own.text, exchanges: [other.job, own] };
        if (!t.check("4.7/5", kept, told)) return;
        await t.behave(model, "normal");
      }
    }
  },
});

export const openCases = [differs, beside, parts, dishonest];
