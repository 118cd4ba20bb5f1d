/** Sections 7.1 and 7.3: what comes of asking again, and the statuses that say why not to. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { plainErrors } from "../support/errors.ts";
import { honestHashes, sha256 } from "../support/hash.ts";
import { begin } from "../support/in-flight.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { quietBalance } from "../support/money.ts";
import { slack } from "../support/pace.ts";
import { answered, isErrorObject, told } from "../support/refusals.ts";
import { webhookSecret } from "../support/webhooks.ts";

/** "Every 4xx is a fault in the request and is not retried unchanged": it would fail the same way. */
const again = defineCase({
  id: "7.3/again",
  title: "a request refused with a 4xx is refused the same way when it is sent again",
  requirements: ["7.3/4"],
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    const fixed = `svc_live_${t.random.text(32)}`;
    const more = [
      { what: "an unknown key", send: () => t.as(fixed).account() },
      { what: "an unknown job", send: () => t.api.job("job_000000000000000000000000") },
    ];
    for (const { what, send } of [...plainErrors, ...more]) {
      const answers: Exchange[] = [];
      for (let round = 0; round < 3; round++) answers.push(await send(t));
      const said = new Set(answers.filter((answer) => answer.ending === "answered").map(told));
      t.check("7.3/4", said.size <= 1 && answers.every((answer) => answer.status >= 400), {
        title: `${what} is refused another way when it is sent again`,
        expected: "the same status and code three times",
        seen: [...said],
        exchanges: answers,
      });
    }
  },
});

/** "Retry any 5xx": the second try is a request of its own, with its own job and its own price. */
const afterFailure = defineCase({
  id: "7.3/after-5xx",
  title: "the same request after a 5xx is answered on its own merits, with a job of its own, and paid once",
  requirements: ["7.3/1"],
  async run(t) {
    const model = t.model();
    const behaviours = ["failing", "absent", "silent"] as const;
    for (const behaviour of behaviours) {
      for (const stream of [false, true]) {
        const before = await quietBalance(t);
        await t.behave(model, behaviour);
        const request = { seed: 5, stream };
        const failed = await t.api.say(request);
        await t.behave(model, "normal");
        const retried = answered(t, await t.api.say(request));
        t.check("7.3/1", retried.status === 200, {
          title: "a request that failed with a 5xx is not answered when it is sent again",
          expected: "200",
          seen: `${told(retried)} after ${told(failed)}`,
          exchanges: [failed, retried],
        });
        const ids = [failed, retried].map((answer) => answer.headers.get(`x-${t.brand}-job-id`));
        t.check("7.3/1", ids[0] === null || ids[0] !== ids[1], {
          title: "a request that is sent again gets the job that had failed",
          expected: "another job",
          seen: ids,
          exchanges: [failed, retried],
        });
        const after = await quietBalance(t);
        t.check("7.3/1", before - after === model.credits_per_request, {
          title: "a request that is sent again after a 5xx is not paid once",
          expected: `${model.credits_per_request} units`,
          seen: `${before - after} units`,
          exchanges: [failed, retried, ...t.exchanges.slice(-1)],
        });
      }
    }
  },
});

/** "409: resource already exists or its state clashes with the request", "422: breaks a semantic rule": one of them for an unfinished job. */
const clash = defineCase({
  id: "7.1/clash",
  title: "a dispute of a job that is not finished is refused with 409 or 422",
  requirements: ["7.1/3", "7.1/4"],
  needs: ["credits", "behaviours"],
  async run(t) {
    await noClash(t);
    await t.behave(t.model(), "silent");
    const { pending, jobId } = await begin(t);
    const answer = answered(t, await t.api.dispute(jobId, sha256("not yet")));
    pending.abort();
    t.check("7.1/4", [409, 422].includes(answer.status) && isErrorObject(answer), {
      title: "a dispute of an unfinished job is not refused as a clash",
      expected: "409 or 422 with an error object",
      seen: told(answer),
    });
    if (answer.status === 409) t.observe("7.1/3", errorCode(answer) === "not_found" ? "not_found" : "other");
  },
});

/** What clashes with nothing is no 409: a second webhook with another address, a second chat. */
async function noClash(t: CaseContext): Promise<void> {
  const answers = [await t.api.say({ seed: 1 }), await t.api.say({ seed: 1 })];
  for (const name of t.home.fresh ? ["one", "two"] : []) {
    const url = `https://hooks.assay.example/${t.random.text(12)}/${name}`;
    answers.push(await t.api.createWebhook({ url, events: ["job.failed"], secret: webhookSecret(t) }));
  }
  for (const answer of answers) {
    t.check("7.1/4", answer.status !== 409, {
      title: "a request that clashes with nothing is answered with 409",
      expected: "no 409",
      seen: told(answer),
      exchanges: answer,
    });
  }
}

/** The codes that the contract does not show: whatever they are, they are texts. */
const ownCodes = defineCase({
  id: "7.1/own-codes",
  title: "which codes 404 answers have",
  requirements: ["7.1/3"],
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    for (const { what, send } of plainErrors.filter((each) => /job|webhook|path/.test(each.what))) {
      const answer = await send(t);
      if (answer.status !== 404) continue;
      const message = at(answer.json, "error", "message");
      t.check("7.1/3", errorCode(answer) !== null && typeof message === "string", {
        title: `${what}: a 404 without a string \`code\` and \`message\``,
        expected: "two strings",
        seen: answer.text,
      });
      t.observe("7.1/3", errorCode(answer) === "not_found" ? "not_found" : "other");
    }
  },
});

const WINDOW = 60_000;

/** Late disputes, one after another: with the right hash, which opens none, and with a wrong one where a dispute may be opened. */
function lateTries(t: CaseContext, text: string): readonly (readonly [row: "7.2/14" | "7.2/18", hash: string])[] {
  const right = honestHashes(text)[0] ?? sha256(text);
  const wrong = mayOpenDisputes(t) ? sha256(`${text} (not what was said)`) : right;
  return [
    ["7.2/14", wrong],
    ["7.2/18", right],
    ["7.2/18", wrong],
  ];
}

/** "dispute_window_expired, 422: dispute sent after the 60-second window; cannot be extended." */
const late = defineCase({
  id: "7.2/late-dispute",
  title: "a dispute after the window is refused with 422 `dispute_window_expired`, and so is every later one",
  requirements: ["7.1/5", "7.2/14", "7.2/18"],
  cost: (prices) => prices.flat,
  async run(t) {
    for (const stream of t.home.fresh ? [false, true] : [false]) {
      const done = await t.complete({ stream });
      // Asking with the right hash opens nothing, and must not begin the window anew.
      const answeredAt = t.clock.now();
      const early = await t.api.dispute(done.jobId, honestHashes(done.text)[0] ?? "");
      await t.clock.until(answeredAt + WINDOW + 1 + slack(t));
      for (const [row, hash] of lateTries(t, done.text)) {
        const answer = answered(t, await t.api.dispute(done.jobId, hash));
        const expired = answer.status === 422 && errorCode(answer) === "dispute_window_expired";
        t.check(row, expired, {
          title: row === "7.2/14" ? "a late dispute is not refused" : "a late dispute is heard by asking again",
          expected: "422 dispute_window_expired",
          seen: told(answer),
          exchanges: [done.exchange, early, answer],
        });
        t.check("7.1/5", answer.status === 422, { expected: "422", seen: told(answer) });
        if (t.clock.movable) await t.clock.advance(30_000);
      }
    }
  },
});

export const retryCases = [again, afterFailure, clash, ownCodes, late];
