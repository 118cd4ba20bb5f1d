/** Sections 3.3 and 5 under concurrency: a key that is revoked in the midst of requests. */
import { type Exchange, errorCode, succeeded } from "../../exchange/exchange.ts";
import type { KeyState } from "../../target/controls.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { sha256 } from "../support/hash.ts";
import { idsOf, statusOf } from "../support/jobs.ts";
import { quietBalance } from "../support/money.ts";
import { told } from "../support/refusals.ts";

const REFUSAL = {
  revoked: { status: 401, code: "invalid_api_key", row: "3.3/2" },
  suspended: { status: 403, code: "key_suspended", row: "3.3/3" },
} as const;

/** One request of every kind, all sent before any is answered. */
function volley(t: CaseContext, jobId: string): () => Promise<readonly Exchange[]> {
  const { api } = t.home;
  const calls = [
    api.say({ max_tokens: 4 }),
    api.say({ max_tokens: 4, stream: true }),
    api.account(),
    api.jobs({ limit: 5 }),
    api.job(jobId),
    api.dispute(jobId, sha256("never said")),
    api.webhooks(),
    api.models(),
    api.say({ max_tokens: 4, stream: true }),
  ].map((call) => call.start());
  return () => Promise.all(calls.map((each) => each.finish()));
}

/**
 * Requests before, beside and after the change. Those before are answered, or refused as if they had come later; those that were sent when the
 * change had been confirmed are refused, all of them, and make no jobs.
 */
async function change(t: CaseContext, state: Exclude<KeyState, "active">): Promise<void> {
  const { status, code, row } = REFUSAL[state];
  const first = await t.complete();
  const before = await quietBalance(t);
  const known = idsOf(await t.api.jobs({ limit: 100 }));

  const early = volley(t, first.jobId);
  await t.clock.settle();
  const changed = t.controls.setKeyState(t.home.key, state);
  const beside = volley(t, first.jobId);
  await changed;
  const refused = await volley(t, first.jobId)();
  for (const answer of refused) {
    const shown = { expected: `${status} ${code}`, seen: told(answer), exchanges: answer };
    const ok = answer.status === status && errorCode(answer) === code;
    t.check(row, ok, { ...shown, title: `a request sent after its key was ${state} is not refused` });
    if (state === "revoked") t.check("5/10", ok, shown);
  }
  const answers = [...(await early()), ...(await beside())];
  const strange = answers.find(
    (each) => !succeeded(each) && ![402, 404, 409, 422, status].includes(each.status) && each.status < 500,
  );
  if (strange !== undefined) t.giveUp(`a request beside the change was answered ${told(strange)}`);

  await t.controls.setKeyState(t.home.key, "active");
  const after = await quietBalance(t);
  const made = idsOf(await t.api.jobs({ limit: 100 })).filter((id) => !known.includes(id));
  const chats = answers.filter(
    (each) => each.endpoint === "POST /v1/chat/completions" && (each.status === 200 || each.status >= 500),
  );
  t.check("3.3/5", made.length === chats.length, {
    title: `requests beside a change of their key made more, or fewer, jobs than were answered`,
    expected: `${chats.length} jobs`,
    seen: made,
    exchanges: [...answers, ...refused],
  });
  let charged = 0;
  for (const id of made) {
    const job = await t.api.job(id);
    const units = (job.json as { credits_charged?: unknown } | undefined)?.credits_charged;
    if (statusOf(job) === "settled" && typeof units === "number") charged += units;
  }
  t.check("3.3/5", before - after === charged, {
    title: `requests that were refused beside a change of their key cost units`,
    expected: `${charged} units for ${made.length} jobs`,
    seen: `${before - after} units`,
    exchanges: [...answers, ...refused],
  });
}

const rows = ["3.3/2", "3.3/5", "5/10"] as const;

const revoked = defineCase({
  id: "concurrency/revoked",
  title:
    "a key revoked in the midst of requests: what was sent afterwards is refused, the rest is charged as it was answered",
  requirements: rows,
  needs: ["wallets", "keys", "credits"],
  run: (t) => change(t, "revoked"),
});

const suspended = defineCase({
  id: "concurrency/suspended",
  title: "a key suspended in the midst of requests: what was sent afterwards is refused with 403",
  requirements: ["3.3/3", "3.3/5"],
  needs: ["wallets", "keys", "credits"],
  run: (t) => change(t, "suspended"),
});

export const keyCases = [revoked, suspended];
