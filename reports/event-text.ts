/** Events of a trace as people tell them. */
import { EVENTS } from "../fixtures/protocol/events.ts";
import { TIERS } from "../fixtures/protocol/prices.ts";
import type { WorldEvent } from "../sim/inspect/index.ts";
import { FAULT, type WorldKinds } from "../sim/trace/index.ts";

type Told = { readonly [K in keyof WorldKinds]?: (event: WorldEvent & { readonly kind: K }) => string };

const coins = (hundredths: number): string => (hundredths / 100).toFixed(2);

const FAULT_WORDS: ReadonlyMap<number, string> = new Map([
  [FAULT.slowBlocks, "slow blocks"],
  [FAULT.stalledChain, "no blocks"],
  [FAULT.droppedTransactions, "transactions lost"],
  [FAULT.replacedTransactions, "transactions replaced"],
  [FAULT.revertedTransactions, "transactions out of gas"],
  [FAULT.reorganisation, "reorganisation"],
  [FAULT.rpcErrors, "errors of the gateway's node"],
  [FAULT.rpcHangs, "no answer of the gateway's node"],
  [FAULT.crashedWorkers, "workers crashed"],
  [FAULT.stalledWorkers, "workers stalled"],
  [FAULT.slowWorkers, "workers slow"],
  [FAULT.droppedJobs, "jobs dropped"],
  [FAULT.partition, "links cut"],
  [FAULT.clog, "links clogged"],
]);

/** What a fault's number means. */
export function faultWords(fault: number): string {
  return FAULT_WORDS.get(fault) ?? `fault number ${fault}`;
}

function nth(count: number): string {
  return ["first", "second", "third"][count - 1] ?? `${count}th`;
}

/** Kinds that are not here are told by their fields. */
const told: Told = {
  "run.started": () => "the run starts",
  "model.listed": ({ model, tier }) => `model ${model} is listed, tier ${TIERS[tier]}`,
  "wallet.opened": ({ wallet }) => `wallet ${wallet} is opened`,
  "units.bought": ({ wallet, units }) => `wallet ${wallet} buys ${units} units`,
  "units.redeemed": ({ wallet, units }) => `wallet ${wallet} redeems ${units} units`,
  "credit.low": ({ wallet, remaining, threshold }) =>
    `wallet ${wallet} is told that ${remaining} units are fewer than ${threshold}`,
  "request.refused": ({ wallet, model, reason, required }) =>
    reason === 1
      ? `a request of wallet ${wallet} for model ${model} is refused: it takes ${required} units`
      : `a request of wallet ${wallet} for model ${model} is refused: no worker hosts it`,
  "job.created": ({ job, number, wallet, model, units, tx }) =>
    `job ${job}, number ${number} of the run, arrives from wallet ${wallet} for model ${model}; its lock of ${units} units is sent as transaction ${tx}`,
  "job.locked": ({ job, units, wallet }) =>
    `job ${job}: ${units} units of wallet ${wallet} are locked; it waits for a worker`,
  "job.processing": ({ job, worker }) => `job ${job}: worker ${worker} takes it`,
  "job.firstToken": ({ job, worker }) => `job ${job}: first token by worker ${worker}`,
  "job.lastToken": ({ job, worker, outputTokens }) => `job ${job}: last of ${outputTokens} tokens by worker ${worker}`,
  "job.settling": ({ job, worker, honest }) =>
    `job ${job}: worker ${worker}'s proof is on-chain${honest === 1 ? "" : ", and is not of what it delivered"}`,
  "job.paid": ({ job, charged, returned, worker, paid, fee }) =>
    `job ${job}: ${charged} units charged, ${returned} returned; worker ${worker} gets ${coins(paid)}, the treasury ${coins(fee)}`,
  "job.settled": ({ job }) => `job ${job}: settled`,
  "job.failed": ({ job, worker, units }) =>
    `job ${job}: failed${worker >= 0 ? ` at worker ${worker}` : ""}; ${units} units are to be given back`,
  "job.refunded": ({ job, units, tx }) =>
    `job ${job}: timed out; a refund of ${units} units is sent as transaction ${tx}`,
  "job.returned": ({ job, units, wallet }) => `job ${job}: ${units} units are back with wallet ${wallet}`,
  "job.late": ({ job, worker }) => `job ${job}: worker ${worker} finishes after its end`,
  "job.disputed": ({ job, worker }) => `job ${job}: its client disputes what worker ${worker} delivered`,
  "dispute.recorded": ({ job }) => `job ${job}: the dispute is on-chain`,
  "dispute.decided": ({ job, worker, fraudulent }) =>
    `job ${job}: worker ${worker} is found ${fraudulent === 1 ? "fraudulent" : "honest"}`,
  "worker.registered": ({ worker, native, slots }) =>
    `worker ${worker} joins: ${native === 1 ? "native" : "browser"}, ${slots} slots`,
  "worker.hosts": ({ worker, model }) => `worker ${worker} hosts model ${model}`,
  "worker.down": ({ worker }) => `worker ${worker} is not reachable`,
  "worker.up": ({ worker }) => `worker ${worker} is there`,
  "worker.left": ({ worker }) => `worker ${worker} leaves`,
  "slot.freed": ({ worker, job }) => `worker ${worker} lets go of job ${job}`,
  "stake.deposited": ({ worker, amount }) => `worker ${worker} stakes ${amount} tokens`,
  "stake.withdrawn": ({ worker, amount }) => `worker ${worker} takes ${amount} tokens out`,
  "stake.slashed": ({ worker, amount, job }) => `worker ${worker} loses ${amount} tokens over job ${job}`,
  "block.sealed": ({ block, transactions }) => `block ${block} is sealed with ${transactions} transactions`,
  "tx.reverted": ({ tx, subject }) => `transaction ${tx} about ${subject} is reverted`,
  "webhook.created": ({ webhook }) => `webhook ${webhook} is created`,
  "webhook.failed": ({ webhook, delivery }) => `webhook ${webhook} has failed over delivery ${delivery}`,
  "delivery.created": ({ delivery, webhook, event, subject }) =>
    `delivery ${delivery}: ${EVENTS[event]} about ${subject}, to webhook ${webhook}`,
  "delivery.attempted": ({ delivery, attempt }) => `delivery ${delivery}: attempt ${attempt}`,
  "delivery.succeeded": ({ delivery, attempt }) => `delivery ${delivery}: attempt ${attempt} is answered 2xx`,
  "delivery.failed": ({ delivery, attempt }) => `delivery ${delivery}: attempt ${attempt} fails`,
  "delivery.ended": ({ delivery, delivered }) => `delivery ${delivery}: ${delivered === 1 ? "delivered" : "given up"}`,
  "delivery.replayed": ({ delivery }) => `delivery ${delivery}: one more attempt is made by hand`,
  "books.closed": ({ bought, available, locked, settled, redeemed }) =>
    `the books: ${bought} units bought = ${available} available + ${locked} locked + ${settled} settled + ${redeemed} redeemed`,
  "stakes.closed": ({ staked, active, slashed, unstaked }) =>
    `the stakes: ${staked} tokens staked = ${active} active + ${slashed} slashed + ${unstaked} taken out`,
  "fault.began": ({ fault, subject }) => `${faultWords(fault)}: fault ${subject} of the list begins`,
  "fault.ended": ({ fault, subject }) => `${faultWords(fault)}: fault ${subject} of the list ends`,
  "worker.classed": ({ worker, class: place }) => `worker ${worker} is of class ${place} of the scenario`,
  "job.cheated": ({ job, worker }) => `job ${job}: worker ${worker} cheats on it`,
  "worker.spent": ({ worker, job, amount }) =>
    `worker ${worker} spends ${coins(amount)}${job < 0 ? "" : ` on job ${job}`}`,
  "client.spent": ({ wallet, job, amount }) =>
    `the client of wallet ${wallet} spends ${coins(amount)} on a look at job ${job}`,
  "audit.done": ({ job, worker, rejected }) =>
    `job ${job}: an audit ${rejected === 1 ? "refuses" : "accepts"} worker ${worker}'s proof`,
  "request.retried": ({ wallet, attempt }) =>
    `a request of wallet ${wallet} is sent again, for the ${nth(attempt)} time`,
  "request.duplicated": ({ wallet }) => `a request of wallet ${wallet} has come twice`,
  "clock.skewed": ({ timeout, window }) =>
    `the gateway's clock is not true: by up to ${timeout} us over the time-out, ${window} us over the dispute window`,
  "client.gaveUp": ({ wallet, job }) => `job ${job}: the client of wallet ${wallet} hangs up`,
  "tx.resent": ({ tx, lost, subject }) => `transaction ${lost} about ${subject} is lost; ${tx} is sent in its place`,
  "block.undone": ({ block, transactions }) => `block ${block} with ${transactions} transactions is undone`,
  "tx.undone": ({ tx, subject }) => `transaction ${tx} about ${subject} is undone`,
  "chain.reorganised": ({ height, blocks }) => `the chain is reorganised, ${blocks} blocks back to ${height}`,
  "tx.resealed": ({ tx, subject }) => `transaction ${tx} about ${subject} is in a block again`,
  "job.unsettled": ({ job }) => `job ${job}: was told as settled, and its settlement is undone`,
  "job.resettled": ({ job }) => `job ${job}: settled again`,
  "calm.began": () => "faults stop: from here on everything must be served",
};

/** One line, without the time. */
export function tell(event: WorldEvent): string {
  const words = (told as Readonly<Record<string, ((event: WorldEvent) => string) | undefined>>)[event.kind];
  if (words !== undefined) return words(event);
  const { time: _, kind, notes: __, ...fields } = event;
  return [kind, ...Object.entries(fields).map(([name, value]) => `${name} ${value}`)].join(", ");
}

/** `1 d 0:02:00.000001`: days where there are any, hours, minutes, seconds, microseconds. */
export function exactTime(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const two = (value: number): string => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const clock = `${Math.floor(seconds / 3_600) % 24}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${days > 0 ? `${days} d ` : ""}${clock}.${String(micros % 1e6).padStart(6, "0")}`;
}

/** Lines of time and words, in order; in the middle of more than `most`, how many are left out. */
export function tellAll(events: readonly WorldEvent[], most = Number.POSITIVE_INFINITY): readonly string[] {
  const lines = events.map((event) => [exactTime(event.time), tell(event)] as const);
  const width = Math.max(0, ...lines.map(([time]) => time.length));
  const texts = lines.map(([time, words]) => `${time.padStart(width)}  ${words}`);
  if (texts.length <= most) return texts;
  const half = Math.floor(most / 2);
  const left = texts.length - 2 * half;
  return [...texts.slice(0, half), `${" ".repeat(width)}  ... ${left} more ...`, ...texts.slice(-half)];
}
