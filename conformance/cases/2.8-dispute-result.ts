/** Section 2.8: the result of a dispute. */
import { at, succeeded } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { disputeOf } from "./support/disputed.ts";
import { HASH, nearMiss } from "./support/hash.ts";
import { proofHash, settledJob } from "./support/jobs.ts";
import { mayOpenDisputes } from "./support/may.ts";
import { isWhole } from "./support/values.ts";

const TX = /^0x[0-9a-fA-F]{64}$/;

/** The table of section 2.8, for a job in either form of a reply, of an honest worker and of one that cheats, and of every model. */
const result = defineCase({
  id: "2.8/result",
  title: "the result of an opened dispute has every field, and tells the two hashes",
  requirements: ["2.8/1", "2.8/2", "2.8/3", "2.8/4", "2.8/5", "8/1"],
  needs: ["credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    if (!mayOpenDisputes(t)) t.leaveOut("a dispute is opened only on a deployment with test controls (--control)");
    const models = t.home.fresh ? t.models() : [t.model()];
    const earlier = new Set<unknown>();
    const behaviours = t.has("behaviours") ? (["normal", "dishonest"] as const) : (["normal"] as const);
    for (const [index, model] of models.entries()) {
      for (const behaviour of behaviours) {
        if (t.has("behaviours")) await t.behave(model, behaviour);
        const done = await t.complete({ model: model.id, stream: (index % 2 === 0) === (behaviour === "normal") });
        const job = await settledJob(t, done.jobId);
        const posted = proofHash(job) ?? t.giveUp("the job tells no proof hash");
        const mine = nearMiss(posted.toLowerCase(), "last");
        const answer = await disputeOf(t, done, mine);
        if (!succeeded(answer)) t.giveUp("a dispute in time was refused");
        const { json } = answer;
        const told = { exchanges: [job, answer], seen: answer.text };
        const names = at(json, "job_id") === done.jobId && at(json, "dispute_opened") === true;
        t.check("2.8/1", names, { ...told, expected: "`job_id` of the job, `dispute_opened` true" });
        const hashes = [at(json, "your_hash"), at(json, "worker_hash")];
        t.check(
          "2.8/2",
          hashes.every((hash) => HASH.test(String(hash))),
          { ...told, expected: "two hashes" },
        );
        const hours = at(json, "arbitration_window_hours");
        const own = ["escrow_tx", "settlement_tx"].every(
          (name) => lower(at(job.json, "on_chain", name)) !== lower(at(json, "dispute_tx")),
        );
        const disputeTx = lower(at(json, "dispute_tx"));
        const tx = TX.test(String(disputeTx)) && isWhole(hours) && own && !earlier.has(disputeTx);
        // One job is disputed after another: one transaction cannot have opened both.
        earlier.add(disputeTx);
        t.check("2.8/3", tx, {
          ...told,
          expected: "`dispute_tx`, a hash of its own, and `arbitration_window_hours`, an integer",
        });
        t.check("2.8/4", lower(hashes[0]) === mine, { ...told, expected: `\`your_hash\` ${mine}` });
        t.check("2.8/5", lower(hashes[1]) === posted.toLowerCase(), { ...told, expected: `\`worker_hash\` ${posted}` });
        t.check("8/1", hours === 24, { ...told, expected: "24" });
      }
    }
  },
});

const lower = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value);

export const section28 = [result];
