/** Receipt headers (section 4.11). */
import type { Receivable } from "./door.ts";
import { type Inside, view } from "./inside.ts";

/** The receipt headers of an answer. A stream's settlement is in its trailer. */
export function receipt(inside: Inside, subject: Receivable): Readonly<Record<string, string>> {
  const { network, shape, door } = inside;
  const { chain } = network;
  const headers: Record<string, string> = {};
  const say = (name: string, value: string): void => {
    headers[`${inside.brand.headerPrefix}${name}`] = value;
  };
  const job = subject.job === undefined ? undefined : view(inside, subject.job);
  if (subject.moment !== "trailer") {
    if (subject.job !== undefined) say("job-id", subject.job.id);
    if (job !== undefined && job.lockTx !== 0) say("tx-hash", chain.hash(job.lockTx));
    if (job !== undefined && job.worker >= 0) say("worker", network.workerAddress(job.worker));
    if (subject.key !== undefined && (job !== undefined || shape.receiptsWithoutJob === "balance")) {
      say("credits-remaining", String(door.balance(inside, subject.key.wallet)));
    }
  }
  if (job !== undefined && job.settlementTx !== 0 && subject.moment !== "head") {
    say("settlement-tx", chain.hash(job.settlementTx));
  }
  return headers;
}
