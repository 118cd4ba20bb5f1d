/** Section 3.3: keys that are revoked or suspended. Both are refused at once, everywhere, and buy nothing. */
import { type Exchange, errorCode, succeeded } from "../../exchange/exchange.ts";
import type { KeyState } from "../../target/controls.ts";
import { type CaseContext, defineCase, type RequirementId } from "../case.ts";
import { begin } from "../support/in-flight.ts";
import { balanceOf, ENDED, idsOf, SETTLES_WITHIN } from "../support/jobs.ts";
import { quietBalance } from "../support/money.ts";
import { realSights, type Sights, tour } from "../support/tour.ts";
import { webhooksIn } from "../support/webhooks.ts";

type Inactive = Exclude<KeyState, "active">;

const REFUSAL = { revoked: [401, "invalid_api_key"], suspended: [403, "key_suspended"] } as const;
const OWN_ROW = { revoked: "3.3/2", suspended: "3.3/3" } as const;

/** Whether one answer is the refusal of that state. */
function judge(t: CaseContext, row: RequirementId, state: Inactive, name: string, answer: Exchange): boolean {
  const [status, code] = REFUSAL[state];
  const ok = answer.status === status && errorCode(answer) === code;
  const told = { expected: `${status} ${code} with a ${state} key`, seen: `${name}: ${answer.status} ${answer.text}` };
  return t.check(row, ok, { ...told, exchanges: answer });
}

/** The whole tour with a key in that state. The case goes on to the end: a flaw may be of one endpoint only. */
async function refusedEverywhere(t: CaseContext, state: Inactive, sights: Sights): Promise<void> {
  for (const stop of tour) {
    const answer = await stop.send(t.api, sights);
    judge(t, OWN_ROW[state], state, stop.name, answer);
    judge(t, "3.3/4", state, stop.name, answer);
    if (state === "revoked") judge(t, "5/10", state, stop.name, answer);
    const status = REFUSAL[state][0];
    t.check("7.2/16", answer.status === status, { expected: String(status), seen: `${stop.name}: ${answer.status}` });
  }
}

/** What a request can change of the list; what else a service tells there may tell of the moment. */
async function webhooks(t: CaseContext): Promise<string> {
  const listed = webhooksIn((await t.api.webhooks()).json).map(({ id, url, events }) =>
    JSON.stringify({ id, url, events }),
  );
  return listed.sort().join();
}

const everywhereRows = ["3.3/1", "3.3/2", "3.3/3", "3.3/4", "3.3/5", "5/10", "7.2/16"] as const;

/**
 * The key has been used everywhere just before, so that whoever remembers it is found out. It is refused on each endpoint from the very next
 * request on and stays so; active again, it is accepted, and nothing was made or deleted or charged meanwhile.
 */
async function inactive(t: CaseContext, state: Inactive): Promise<void> {
  const { key } = t.home;
  const sights = await realSights(t);
  const streamed = await t.complete({ stream: true });
  await t.jobWhen(streamed.jobId, ENDED, { within: SETTLES_WITHIN });
  for (const stop of tour) {
    if (stop.name.startsWith("GET")) t.accepted(await stop.send(t.api, sights), `${stop.name} with an active key`);
  }
  const before = { balance: await quietBalance(t), jobs: idsOf(await t.api.jobs({ limit: 50 })) };
  const hooks = await webhooks(t);

  await t.controls.setKeyState(key, state);
  await refusedEverywhere(t, state, sights);
  for (const span of [1_000, 61_000, 3_600_000]) {
    if (!t.clock.movable) break;
    await t.clock.advance(span);
    await refusedEverywhere(t, state, sights);
  }
  await t.controls.setKeyState(key, "active");
  const back = await t.api.account();
  t.check("3.3/1", succeeded(back), {
    expected: "200 once the key is active again",
    seen: `${back.status} ${back.text}`,
  });
  if (!succeeded(back)) return;

  const jobs = idsOf(await t.api.jobs({ limit: 50 }));
  t.check("3.3/5", jobs.join() === before.jobs.join(), {
    expected: before.jobs.join(),
    seen: jobs,
    title: `A ${state} key made jobs.`,
  });
  const balance = await t.home.balance();
  t.check("3.3/5", balance === before.balance, { expected: String(before.balance), seen: balance });
  const after = await webhooks(t);
  t.check("3.3/4", after === hooks, {
    title: `A ${state} key changed the webhooks.`,
    expected: hooks,
    seen: after,
  });
  t.accepted(await t.api.say(), "a chat with the key active again");
}

const revoked = defineCase({
  id: "3.3/revoked",
  title: "a revoked key is refused everywhere from the next request on, and costs and changes nothing",
  requirements: everywhereRows,
  needs: ["wallets", "keys"],
  run: (t) => inactive(t, "revoked"),
});

const suspended = defineCase({
  id: "3.3/suspended",
  title: "a suspended key is refused everywhere with 403, and costs and changes nothing",
  requirements: everywhereRows,
  needs: ["wallets", "keys"],
  run: (t) => inactive(t, "suspended"),
});

/** States change to and fro; each is the key's own: other wallets' keys stay as they are. */
const changes = defineCase({
  id: "3.3/changes",
  title: "a key changes its state again and again, and no other key with it",
  requirements: ["3.3/1", "3.3/2", "3.3/3", "5/10"],
  needs: ["wallets", "keys"],
  async run(t) {
    const others = [await t.wallet(), await t.wallet()];
    const states: readonly KeyState[] = ["revoked", "suspended", "active", "suspended", "revoked", "active", "revoked"];
    for (const state of states) {
      await t.controls.setKeyState(t.home.key, state);
      const answers = [await t.api.account(), await t.api.say({}, { cost: 0 }), await t.api.jobs()];
      for (const answer of answers) {
        if (state !== "active") judge(t, OWN_ROW[state], state, "after a change", answer);
        else t.check("3.3/1", succeeded(answer), { expected: "200", seen: `${answer.status} ${answer.text}` });
      }
      for (const other of others) {
        const answer = await other.api.account();
        t.check("3.3/1", succeeded(answer), {
          title: "A key changed its state with another wallet's.",
          expected: "200",
          seen: `${answer.status} ${answer.text}`,
        });
      }
      if (state === "revoked")
        t.check(
          "5/10",
          answers.every((answer) => answer.status === 401),
          { expected: "401", seen: answers.map((answer) => answer.status) },
        );
    }
  },
});

/**
 * A key is revoked in the middle of many requests: those sent after the revocation was confirmed are refused, those before it may be either,
 * and what was accepted is all that is charged and listed.
 */
const midst = defineCase({
  id: "5/revoked-in-the-midst",
  title: "when a key is revoked among parallel requests, every later one is refused, and the books agree",
  requirements: ["3.3/5", "5/10"],
  needs: ["wallets", "keys"],
  async run(t) {
    const model = t.model();
    const wallet = await t.wallet({ credits: 2_000 });
    const requests = (): (() => ReturnType<typeof wallet.api.account>)[] =>
      [0, 1, 2, 3].flatMap((index) => [
        () => wallet.api.say({ model: model.id, stream: index % 2 === 1 }),
        () => wallet.api.account(),
        () => wallet.api.jobs(),
      ]);
    const early = requests().map((send) => send().start());
    const revoking = t.controls.setKeyState(wallet.key, "revoked");
    const among = requests().map((send) => send().start());
    await revoking;
    const later = requests().map((send) => send().start());
    await t.clock.settle();
    const answers = { early: [] as Exchange[], among: [] as Exchange[], later: [] as Exchange[] };
    for (const [name, pendings] of [
      ["early", early],
      ["among", among],
      ["later", later],
    ] as const) {
      for (const pending of pendings) answers[name].push(await pending.finish());
    }
    for (const answer of answers.later) judge(t, "5/10", "revoked", "after the revocation", answer);
    const either = [...answers.early, ...answers.among].filter(
      (answer) => !succeeded(answer) && !(answer.status === 401 && errorCode(answer) === "invalid_api_key"),
    );
    t.check("5/10", either.length === 0, {
      title: "A request beside the revocation was neither answered nor refused.",
      expected: "200, or 401 invalid_api_key",
      seen: either.map((answer) => `${answer.status} ${answer.text}`),
      exchanges: either,
    });
    await t.controls.setKeyState(wallet.key, "active");
    const chats = [...answers.early, ...answers.among].filter(
      (answer) => succeeded(answer) && answer.request.method === "POST",
    );
    const jobs = idsOf(await wallet.api.jobs({ limit: 50 }));
    const told = { expected: `${chats.length} jobs`, seen: jobs, exchanges: chats };
    t.check("3.3/5", jobs.length === chats.length, { ...told, title: "Jobs and answered chats differ in number." });
    const expected = 2_000 - chats.length * model.credits_per_request;
    const balance = await balanceOf(t, wallet, expected);
    t.check("3.3/5", balance === expected, { expected: String(expected), seen: balance });
  },
});

/** A job that was begun with the key is the wallet's: revoking the key meanwhile neither loses its units nor leaves it open. */
const during = defineCase({
  id: "3.3/revoked-during-a-job",
  title: "a job in flight when its key is revoked comes to its end in the books",
  requirements: ["5/10", "3.3/5"],
  needs: ["wallets", "keys", "behaviours", "patience"],
  async run(t) {
    const model = t.model();
    await t.behave(model, "silent");
    const wallet = await t.wallet({ credits: 300 });
    const { pending } = await begin(t, { model: model.id }, wallet.api);
    await t.controls.setKeyState(wallet.key, "revoked");
    judge(t, "5/10", "revoked", "with a job in flight", await wallet.api.account());
    await pending.finish();
    await t.controls.setKeyState(wallet.key, "active");
    const balance = await balanceOf(t, wallet, 300, 130_000);
    const title = "The units of a job were lost with the revocation of its key.";
    t.check("3.3/5", balance === 300, { title, expected: "300", seen: balance });
  },
});

export const inactiveCases = [revoked, suspended, changes, midst, during];
