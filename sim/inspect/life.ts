/**
 * Picks from a trace what concerns one subject: a job's life from its request to its end, or what led up to a broken invariant.
 *
 * Jobs and deliveries give their numbers to later ones, so a subject is a number at a time. What a job touches belongs to its life: its wallet's
 * opening, its worker's joining and stake, its deliveries, and the reverts of its transactions.
 */
import { EVENTS } from "../../fixtures/protocol/events.ts";
import type { TraceEvent, WorldKinds } from "../trace/index.ts";

export type WorldEvent = TraceEvent<WorldKinds>;

/** Events about jobs among those that webhooks hear. */
const JOB_EVENTS = EVENTS.filter((name) => name.startsWith("job.")).length;

const field = (event: WorldEvent, name: string): number | undefined =>
  (event as unknown as Record<string, number | undefined>)[name];

/**
 * Events of the job that is the nth of its run, counted from 0; undefined where there was none.
 *
 * @param events is gone through twice
 */
export function lifeOfJob(events: Iterable<WorldEvent>, number: number): readonly WorldEvent[] | undefined {
  let created: (WorldEvent & { readonly kind: "job.created" }) | undefined;
  let begun = 0;
  let last = 0;
  const workers = new Set<number>();
  const transactions = new Set<number>();
  for (const event of events) {
    if (created === undefined) {
      if (event.kind === "job.created" && event.number === number) created = event;
      else begun++;
      last = begun;
      if (created === undefined) continue;
    } else if (event.kind === "job.created" && event.job === created.job) break;
    last++;
    if (!speaksOf(event, created.job)) continue;
    const worker = field(event, "worker");
    if (worker !== undefined && worker >= 0) workers.add(worker);
    transactions.add(field(event, "tx") ?? 0);
  }
  if (created === undefined) return undefined;
  const life: WorldEvent[] = [];
  const deliveries = new Set<number>();
  let index = 0;
  for (const event of events) {
    if (index >= last) break;
    if (belongs(event, created, index++ >= begun)) life.push(event);
  }
  return life;

  function belongs(event: WorldEvent, { job, wallet }: { job: number; wallet: number }, inLife: boolean): boolean {
    if (event.kind === "wallet.opened") return event.wallet === wallet;
    if (event.kind === "worker.registered" || event.kind === "stake.deposited") return workers.has(event.worker);
    if (!inLife) return false;
    if (event.kind === "delivery.created") {
      const own = event.subject === job && event.event < JOB_EVENTS;
      if (own) deliveries.add(event.delivery);
      else deliveries.delete(event.delivery);
      return own;
    }
    if (event.kind === "tx.reverted") return transactions.has(event.tx);
    const delivery = field(event, "delivery");
    if (delivery !== undefined) return deliveries.has(delivery);
    return speaksOf(event, job);
  }
}

function speaksOf(event: WorldEvent, job: number): boolean {
  return field(event, "job") === job;
}

/** Who acts in a world: a word and a number, as `worker 3`. */
export interface Actor {
  readonly role: "job" | "worker" | "wallet" | "delivery" | "webhook";
  readonly id: number;
}

const ACTOR = /^(job|worker|wallet|delivery|webhook)\s+(\d+)/;

/** The actor that a text begins with, such as a violation's; undefined where it names none. */
export function actorIn(text: string): Actor | undefined {
  const match = ACTOR.exec(text);
  return match === null ? undefined : { role: match[1] as Actor["role"], id: Number(match[2]) };
}

export function concerns(event: WorldEvent, { role, id }: Actor): boolean {
  return field(event, role) === id;
}

/** What led up to a violation, in order: the life of what it names, and faults. */
export function chainOf(
  events: readonly WorldEvent[],
  violation: { readonly time: number; readonly what: string },
): readonly WorldEvent[] {
  const actor = actorIn(violation.what);
  const past = events.filter((event) => event.time <= violation.time);
  if (actor === undefined) return past.filter(isTelling);
  if (actor.role === "job") {
    const created = past.findLast((event) => event.kind === "job.created" && event.job === actor.id);
    const life = created?.kind === "job.created" ? lifeOfJob(past, created.number) : undefined;
    if (life !== undefined) return past.filter((event) => life.includes(event) || isFault(event));
  }
  // The subject, and the jobs that it had to do with.
  const jobs = new Set(past.filter((event) => concerns(event, actor)).map((event) => field(event, "job") ?? -1));
  return past.filter(
    (event) => concerns(event, actor) || isFault(event) || (jobs.has(field(event, "job") ?? -2) && isTelling(event)),
  );
}

const isFault = ({ kind }: WorldEvent): boolean =>
  kind === "fault.began" || kind === "fault.ended" || kind === "calm.began";

/** Not merely the furniture of a run. */
const isTelling = ({ kind }: WorldEvent): boolean =>
  kind !== "run.started" && kind !== "model.listed" && kind !== "worker.hosts" && kind !== "block.sealed";
