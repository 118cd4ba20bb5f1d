/** Chats that race for one balance, and the order that explains what came of them. */
import type { Exchange } from "../../exchange/exchange.ts";
import type { Operation } from "../../model/linear.ts";
import type { CaseContext, ListedModel, Wallet } from "../case.ts";
import { told } from "../support/refusals.ts";

/** A chat of a race: its length keeps it at the flat price. */
export interface Racer {
  readonly model: ListedModel;
  readonly stream: boolean;
}

/** Sends all at once; each is sent before any is waited for. */
export async function race(t: CaseContext, wallet: Wallet, racers: readonly Racer[]): Promise<readonly Exchange[]> {
  const pending = racers.map(({ model, stream }) => wallet.api.say({ model: model.id, stream, max_tokens: 4 }).start());
  await t.clock.settle();
  return await Promise.all(pending.map((each) => each.finish()));
}

/** Ends the case where a chat was neither answered nor refused for want of units. */
export function paidOrShort(t: CaseContext, answers: readonly Exchange[]): void {
  const odd = answers.find((answer) => answer.status !== 200 && answer.status !== 402);
  if (odd !== undefined) t.giveUp(`a request was neither answered nor refused with 402: ${told(odd)}`);
}

/** A short chat as an operation on the units that are neither locked nor spent. */
export function spending(answer: Exchange, racer: Racer, name: string): Operation<number> {
  const price = racer.model.credits_per_request;
  const paid = answer.status === 200;
  return {
    name: `${name}: ${racer.model.tier} ${paid ? "paid" : "refused"}`,
    from: answer.sentAt,
    to: answer.endedAt,
    apply: (units) => (units >= price === paid ? units - (paid ? price : 0) : null),
  };
}

/** `count` racers on a model, streamed in turn as `form` says. */
export function racersOn(model: ListedModel, count: number, form: "plain" | "streamed" | "mixed"): readonly Racer[] {
  return Array.from({ length: count }, (_, index) => ({
    model,
    stream: form === "streamed" || (form === "mixed" && index % 2 === 1),
  }));
}
