/** Every kind of error that a run can bring about, one request each, and what it takes to bring it about. */
import type { Exchange } from "../../exchange/exchange.ts";
import type { CaseContext, Need } from "../case.ts";
import { sha256 } from "./hash.ts";

export interface Wrong {
  /** In a few words that do not vary. */
  readonly what: string;
  readonly needs?: readonly Need[];
  send(t: CaseContext): PromiseLike<Exchange>;
}

const free = { cost: 0 };
const CHAT = "/v1/chat/completions";

/** Errors of the request alone. They cost nothing, and nothing but a key is needed. */
export const plainErrors: readonly Wrong[] = [
  { what: "broken JSON", send: (t) => t.api.raw({ method: "POST", path: CHAT, body: '{"model": "x",', ...free }) },
  { what: "a missing field", send: (t) => t.api.say({ messages: undefined }, free) },
  { what: "a wrong type", send: (t) => t.api.say({ max_tokens: "16" }, free) },
  { what: "a value out of range", send: (t) => t.api.say({ temperature: 2.5 }, free) },
  { what: "an unknown role", send: (t) => t.api.say({ messages: [{ role: "wizard", content: "Hi." }] }, free) },
  { what: "an unknown model", send: (t) => t.api.say({ model: "no-such-model" }, free) },
  { what: "an unknown model in a stream", send: (t) => t.api.say({ model: "no-such-model", stream: true }, free) },
  { what: "an unknown model by its id", send: (t) => t.api.model("no-such-model") },
  { what: "an unknown job", send: (t) => t.api.job(`job_${t.random.text(24)}`) },
  { what: "a dispute of an unknown job", send: (t) => t.api.dispute(`job_${t.random.text(24)}`, sha256("nothing")) },
  { what: "an unknown webhook", send: (t) => t.api.deleteWebhook(`wh_${t.random.text(24)}`) },
  { what: "a webhook without fields", send: (t) => t.api.createWebhook({}) },
  { what: "an unknown path", send: (t) => t.api.raw({ method: "GET", path: "/v1/nowhere" }) },
  { what: "a missing key", send: (t) => t.as(null).account() },
  { what: "a missing key for a chat", send: (t) => t.as(null).say({}, free) },
  { what: "an unknown key", send: (t) => t.as(`svc_live_${t.random.text(32)}`).account() },
];

/** Errors that take a wallet, a worker or a key that can be told what to be. */
export const arrangedErrors: readonly Wrong[] = [
  {
    what: "a lack of units",
    needs: ["wallets"],
    send: async (t) => await (await t.wallet({ credits: 0 })).api.say({}, free),
  },
  {
    what: "a lack of units for a stream",
    needs: ["wallets"],
    send: async (t) => await (await t.wallet({ credits: 0 })).api.say({ stream: true }, free),
  },
  { what: "a model without workers", needs: ["behaviours"], send: (t) => whileWorkers(t, "absent", {}) },
  {
    what: "a model without workers, for a stream",
    needs: ["behaviours"],
    send: (t) => whileWorkers(t, "absent", { stream: true }),
  },
  { what: "a job that failed", needs: ["behaviours", "credits"], send: (t) => whileWorkers(t, "failing", {}) },
  {
    what: "a job that timed out",
    needs: ["behaviours", "credits", "patience"],
    send: (t) => whileWorkers(t, "silent", {}),
  },
  {
    what: "a suspended key",
    needs: ["keys", "wallets"],
    send: async (t) => {
      const wallet = await t.wallet({ credits: 100 });
      await t.controls.setKeyState(wallet.key, "suspended");
      return await wallet.api.account();
    },
  },
  {
    what: "a revoked key",
    needs: ["keys", "wallets"],
    send: async (t) => {
      const wallet = await t.wallet({ credits: 100 });
      await t.controls.setKeyState(wallet.key, "revoked");
      return await wallet.api.account();
    },
  },
];

/** The errors that this run can bring about. */
export function errorsAtHand(t: CaseContext): readonly Wrong[] {
  return [...plainErrors, ...arrangedErrors].filter((each) => (each.needs ?? []).every((need) => t.has(need)));
}

async function whileWorkers(
  t: CaseContext,
  behaviour: "absent" | "failing" | "silent",
  changes: Readonly<Record<string, unknown>>,
): Promise<Exchange> {
  await t.behave(t.model(), behaviour);
  const answer = await t.api.say(changes);
  await t.behave(t.model(), "normal");
  return answer;
}
