/** Webhooks of a sequence: made, answered well or badly, listed, deleted, and told of everything that happened. */
import type { EventName } from "../../../fixtures/protocol/index.ts";
import { succeeded } from "../../exchange/exchange.ts";
import type { Manners } from "../../model/command.ts";
import type { ModelJob } from "../../model/state.ts";
import { type Delivery, reply, type Script } from "../../receiver/receiver.ts";
import type { RequirementId } from "../case.ts";
import { eventually } from "../support/deliveries.ts";
import { slack } from "../support/pace.ts";
import { listedWebhooks, webhookIn } from "../support/webhooks.ts";
import { judgeForeign } from "./jobs.ts";
import { type Hook, named, type Play, type Player, playerOf } from "./play.ts";

const SCRIPTS: { readonly [M in Manners]: Script } = {
  well: reply.ok(),
  badly: reply.status(500),
  late: reply.late(10_500),
  hangs: reply.hang(),
  recovers: [reply.status(503), reply.status(500), reply.ok()],
};

const ATTEMPTS = 5;

export async function makeHook(
  play: Play,
  number: number,
  events: readonly EventName[],
  manners: Manners,
): Promise<void> {
  const player = playerOf(play, number);
  if (player.model.key !== "active") return;
  const subscription = await play.t.subscribe({ events, script: SCRIPTS[manners], api: player.wallet.api });
  const made = { madeAt: play.t.clock.now(), made: play.step, topUps: 0, deletedAt: null };
  play.hooks.push({ player, subscription, manners, ...made, above: false, crossed: false, maybeLow: false });
}

export async function deleteHook(play: Play, number: number, by: number): Promise<void> {
  const { t } = play;
  const hook = named([...play.hooks].reverse(), number);
  const player = playerOf(play, by);
  if (hook === undefined) return;
  const answer = await player.wallet.api.deleteWebhook(hook.subscription.id);
  if (player !== hook.player || player.model.key !== "active") return judgeForeign(play, player, answer, "4.10/4");
  const shown = { seen: `${answer.status} ${answer.text}`.slice(0, 200), exchanges: answer };
  if (hook.deletedAt !== null) {
    t.check("4.10/5", answer.status === 404, { ...shown, expected: "404" });
    return;
  }
  if (!t.check("4.10/1", succeeded(answer), { ...shown, expected: "a 2xx" })) return;
  await t.clock.settle();
  hook.deletedAt = t.clock.now();
}

/** The list shows what is there, and nothing else's. */
export async function listHooks(play: Play, player: Player): Promise<void> {
  const { t } = play;
  if (player.model.key !== "active") return;
  const list = await listedWebhooks(t, player.wallet.api);
  for (const hook of play.hooks) {
    const listed = webhookIn(list.json, hook.subscription.id);
    const there = listed !== undefined;
    const told = { seen: list.text.slice(0, 300), exchanges: [hook.subscription.created, list] };
    if (hook.player !== player) t.check("4.9/2", !there, { ...told, expected: "no webhook of another wallet" });
    else if (hook.deletedAt !== null) t.check("4.10/1", !there, { ...told, expected: "the deleted webhook gone" });
    else if (t.check("4.9/1", there, { ...told, expected: hook.subscription.id })) judgeStatus(play, hook, listed);
  }
}

/** Active until the fifth attempt of some delivery has failed, and not after it. */
function judgeStatus({ t }: Play, hook: Hook, listed: Readonly<Record<string, unknown>> | undefined): void {
  const told = { seen: listed?.status, exchanges: hook.subscription.created };
  const active = listed?.status === "active";
  if (hook.manners === "well") t.check("2.6/3", active, { ...told, expected: "active" });
  if (hook.manners !== "badly") return;
  const most = Math.max(0, ...attemptsOf(hook).map((attempts) => attempts.length));
  const row = most >= ATTEMPTS ? "3.2/1" : "3.2/3";
  t.check(row, active === most < ATTEMPTS, {
    ...told,
    expected: `${most < ATTEMPTS ? "active" : "not active"} after ${most} failed attempts`,
  });
}

/** The attempts to tell of each job's completion. */
function attemptsOf(hook: Hook): readonly (readonly Delivery[])[] {
  const byJob = new Map<string, Delivery[]>();
  for (const delivery of hook.subscription.endpoint.of("job.completed")) {
    const id = delivery.jobId ?? "";
    byJob.set(id, [...(byJob.get(id) ?? []), delivery]);
  }
  return [...byJob.values()];
}

/** Whatever comes is judged by the monitors; here that nothing comes after a deletion, and nothing a sixth time. */
export function observeHooks(play: Play): void {
  const { t } = play;
  for (const hook of play.hooks) {
    const { deliveries } = hook.subscription.endpoint;
    const { deletedAt } = hook;
    const exchanges = hook.subscription.created;
    if (deletedAt !== null) {
      const late = deliveries.find((delivery) => delivery.earliest > deletedAt + slack(t));
      const row = late !== undefined && isRetry(hook, late) ? "4.10/7" : "4.10/6";
      t.check(row, late === undefined, { expected: "nothing after the deletion", seen: late?.text, exchanges });
    }
    const sixth = attemptsOf(hook).find((attempts) => attempts.length > ATTEMPTS);
    if (hook.manners === "well" || hook.manners === "recovers") continue;
    t.check("6.4/8", sixth === undefined, { expected: "at most five attempts", seen: sixth?.length, exchanges });
  }
}

const isRetry = (hook: Hook, delivery: Delivery): boolean =>
  attemptsOf(hook).some((attempts) => attempts.indexOf(delivery) > 0);

interface Due {
  readonly event: EventName;
  readonly row: RequirementId;
  readonly when: (job: ModelJob) => boolean;
}

const DUE: readonly Due[] = [
  { event: "job.submitted", row: "6.1/1", when: () => true },
  { event: "job.processing", row: "6.1/2", when: (job) => job.answer === "completed" },
  { event: "job.completed", row: "6.1/3", when: (job) => job.charge !== null },
  { event: "job.failed", row: "6.1/4", when: (job) => job.status === "failed" },
  { event: "job.timeout", row: "6.1/5", when: (job) => job.status === "refunded" },
  { event: "job.disputed", row: "6.1/6", when: (job) => job.dispute !== null },
];

/** At the end of a sequence: each webhook that answers well has been told of everything since it was made. */
export async function judgeEvents(play: Play): Promise<void> {
  const { t } = play;
  for (const hook of play.hooks) {
    if (hook.manners !== "well" || hook.deletedAt !== null) continue;
    const { endpoint, created } = hook.subscription;
    const jobs = hook.player.model.jobs.filter((job) => job.bornAfter > hook.made && job.answer !== "none");
    const asked = created.request.json as { readonly events: readonly EventName[] };
    const expect = async (event: EventName, row: RequirementId, wanted: number): Promise<void> => {
      if (!asked.events.includes(event) || wanted === 0) return;
      const came = await eventually(t, () => endpoint.of(event).length >= wanted);
      const seen = endpoint.deliveries.map((delivery) => `${delivery.event} ${delivery.jobId ?? ""}`);
      t.check(row, came, { expected: `${wanted} of \`${event}\``, seen, exchanges: created });
    };
    for (const { event, row, when } of DUE) await expect(event, row, jobs.filter(when).length);
    await expect("credit.topup", "6.1/8", hook.topUps);
    await expect("credit.low", "6.1/7", hook.crossed ? 1 : 0);
    const lows = endpoint.of("credit.low").length;
    if (!hook.maybeLow) {
      t.check("6.1/12", lows === 0, { expected: "no `credit.low`", seen: `${lows} of them`, exchanges: created });
    }
  }
}
