/** One property over everything at once: whatever is done in whatever order, the service answers as the reference model says. */
import { at } from "../../exchange/exchange.ts";
import { mostLocked, possibleBalance } from "../../model/balance.ts";
import { type Command, inWords } from "../../model/command.ts";
import { type Means, sequences } from "../../model/draw.ts";
import { isOver } from "../../model/state.ts";
import { endsAs } from "../../model/statuses.ts";
import { type CaseContext, defineCase, type RequirementId } from "../case.ts";
import { SETTLES_WITHIN } from "../support/jobs.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { observeBalance, setKey, topUp } from "./balances.ts";
import { chat, finish, harvest, leave } from "./chats.ts";
import { dispute, verdict } from "./disputes.ts";
import { deleteHook, judgeEvents, listHooks, makeHook, observeHooks } from "./hooks.ts";
import { learnIds, observeJob, read } from "./jobs.ts";
import { list } from "./lists.ts";
import { isServed, openPlay, type Play, playerOf, WALLETS, type Workers, workersOf } from "./play.ts";

const rows = [
  ...(["1/2", "1/3", "1/5", "1/9", "1/17", "2.1/9", "2.2/6", "2.2/7", "2.3/25", "2.6/3"] as const),
  ...([
    "3.1/5",
    "3.1/6",
    "3.1/7",
    "3.1/8",
    "3.1/9",
    "3.1/12",
    "3.1/16",
    "3.1/17",
    "3.1/19",
    "3.1/20",
    "3.1/21",
  ] as const),
  ...(["3.2/1", "3.2/3", "3.3/1", "3.3/2", "3.3/3", "3.3/5", "4/4", "4.1/5", "4.1/11", "4.1/15", "4.1/16"] as const),
  ...(["4.1/27", "4.1/32", "4.1/35", "4.1/38", "4.1/39", "4.1/40", "4.1/41", "4.1/42", "4.1/45", "4.1/52"] as const),
  ...(["4.4/3", "4.5/1", "4.5/3", "4.6/4", "4.6/5", "4.6/11", "4.6/12", "4.6/13", "4.6/14", "4.6/15"] as const),
  ...(["4.6/16", "4.6/19", "4.7/3", "4.7/4", "4.7/5", "4.7/6", "4.7/10", "4.7/11", "4.7/12", "4.7/13"] as const),
  ...(["4.7/15", "4.7/17", "4.7/19", "4.7/20", "4.7/21", "4.7/22", "4.7/24", "4.9/1", "4.9/2", "4.10/1"] as const),
  ...(["4.10/4", "4.10/5", "4.10/6", "4.10/7", "4.11/7", "5/12", "6.1/1", "6.1/2", "6.1/3", "6.1/4", "6.1/5"] as const),
  ...(["6.1/6", "6.1/7", "6.1/8", "6.1/12", "6.4/8", "7.2/2", "7.2/4", "7.2/7", "7.2/8", "7.2/11", "7.2/14"] as const),
  ...(["7.3/1", "7.3/5", "8/4"] as const),
] as const satisfies readonly RequirementId[];

function meansOf(t: CaseContext): Means {
  const { fresh } = t.home;
  const patience = t.clock.movable ? Number.POSITIVE_INFINITY : t.clock.affords(1_000) ? 1_000 : 0;
  return {
    wallets: fresh ? WALLETS : t.has("second-wallet") ? 2 : 1,
    models: fresh ? t.models().length : 1,
    fresh,
    behaviours: t.has("behaviours") && fresh,
    keys: t.has("keys") && fresh,
    disputes: mayOpenDisputes(t),
    arbitration: t.has("arbitration"),
    receiver: t.has("receiver"),
    patience,
  };
}

async function take(play: Play, step: Command): Promise<void> {
  switch (step.do) {
    case "chat":
      return await chat(play, step);
    case "leave":
      return await leave(play, step.flight);
    case "finish":
      return await finish(play);
    case "top-up":
      return await topUp(play, step.wallet, step.units);
    case "key":
      return await setKey(play, step.wallet, step.state);
    case "read":
      return await read(play, step.job, step.by);
    case "list":
      return await list(play, step);
    case "models":
      return await judgeModels(play);
    case "dispute":
      return await dispute(play, step.job, step.hash, step.by);
    case "verdict":
      return await verdict(play, step.job, step.verdict);
    case "hook":
      return await makeHook(play, step.wallet, step.events, step.manners);
    case "unhook":
      return await deleteHook(play, step.hook, step.by);
    case "hooks":
      return await listHooks(play, playerOf(play, step.wallet));
    case "pass":
      await play.t.clock.advance(step.milliseconds);
  }
}

/** A model is listed exactly while somebody hosts it. */
async function judgeModels(play: Play): Promise<void> {
  const { t } = play;
  const player = play.players.find((each) => each.model.key === "active");
  if (player === undefined) return;
  const served = new Map<string, boolean>();
  for (const model of play.models) served.set(model.id, await isServed(play, player, model));
  const answer = await player.wallet.api.models();
  t.accepted(answer, "listing the models");
  const data = at(answer.json, "data");
  const ids = (Array.isArray(data) ? data : []).map((model) => at(model, "id"));
  for (const model of play.models) {
    if (served.get(model.id) === false) continue;
    const absent = workersOf(play, model).worker === "absent";
    t.check(absent ? "2.2/6" : "2.2/7", ids.includes(model.id) !== absent, {
      expected: `${model.id} ${absent ? "not listed: nobody hosts it" : "listed"}`,
      seen: ids,
      exchanges: answer,
    });
  }
}

/** Who is looked at after a step: those whom it concerned, and, when time has passed, whoever has something in flight. */
function concerned(play: Play, step: Command, passed: boolean): Play["players"] {
  return play.players.filter((player) => {
    if ("wallet" in step && playerOf(play, step.wallet) === player) return true;
    if ("by" in step && playerOf(play, step.by) === player) return true;
    if (step.do === "pass" || step.do === "finish") return true;
    return passed && (player.model.happened.length > 0 || player.model.jobs.some((job) => !isOver(job)));
  });
}

async function observe(play: Play, players: Play["players"]): Promise<void> {
  await harvest(play);
  for (const player of players) {
    if (player.model.key === "active") {
      await learnIds(play, player);
      for (const job of player.model.jobs)
        if (!isOver(job) || job.dispute !== null) await observeJob(play, player, job);
    }
    await observeBalance(play, player);
  }
  observeHooks(play);
}

/** Lets everything come to its end, and holds the end against the model. */
async function end(play: Play): Promise<void> {
  const { t } = play;
  play.step += 1;
  for (const [number, player] of play.players.entries()) {
    if (player.model.key !== "active") await setKey(play, number, "active");
  }
  await finish(play);
  const open = () => play.jobs.filter((job) => job.answer !== "none" && job.id !== null && !isOver(job));
  const ended = await t.clock.advanceUntil(
    async () => {
      await observe(play, play.players);
      return open().length === 0;
    },
    { within: SETTLES_WITHIN, step: 2_000 },
  );
  for (const job of play.jobs) {
    if (job.id === null || job.status === null || job.answer === "none") continue;
    const { possible, row } = endsAs(job);
    if (!ended && !t.clock.movable) continue;
    t.check(row, possible.includes(job.status), {
      title: "a job did not come to its end",
      expected: possible.join(" or "),
      seen: `${job.status}; its request was ${job.answer}`,
    });
  }
  // A failure may be told before its units are back.
  const quiet = (): boolean =>
    play.players.every((player) => possibleBalance(player.model, t.clock.now()).exact !== null);
  if (!quiet()) await t.clock.advanceUntil(quiet, { within: 61_000, step: 5_000 });
  await observe(play, play.players);
  for (const [wallet, player] of play.players.entries()) {
    if (player.model.jobs.length > 0) await list(play, { do: "list", wallet, limit: null, status: null, model: null });
    if (play.hooks.length > 0) await listHooks(play, player);
  }
  await judgeEvents(play);
  for (const hook of play.hooks) {
    if (hook.deletedAt === null) await hook.player.wallet.api.deleteWebhook(hook.subscription.id);
  }
}

async function play(t: CaseContext, steps: readonly Command[], workers: Map<string, Workers>): Promise<void> {
  const opened = await openPlay(t, workers);
  try {
    for (const step of steps) {
      opened.step += 1;
      const before = t.clock.now();
      await take(opened, step);
      await observe(opened, concerned(opened, step, t.clock.now() > before));
    }
    await end(opened);
  } finally {
    for (const { pending } of opened.flights) if (!pending.settled) pending.abort();
  }
}

/** The most that a sequence takes from a given key's wallet. */
function costOf(t: CaseContext, steps: readonly Command[]): number {
  const price = (most: number | null): number => mostLocked(t.model(), most);
  return steps.reduce((sum, step) => sum + (step.do === "chat" ? price(step.most) : 0), 0);
}

/** Requests, jobs, disputes, webhooks, keys, top-ups and time, in any order that fast-check draws. */
const everything = defineCase({
  id: "sequences/everything",
  title: "whatever is done in whatever order, answers, jobs, balances and events are what went before makes them",
  requirements: rows,
  needs: ["credits"],
  alone: true,
  cost: (prices) => 8 * prices.flat,
  async run(t) {
    const means = meansOf(t);
    const workers = new Map<string, Workers>();
    await t.property({
      arbitrary: sequences(means, means.fresh ? 14 : 5),
      ...(means.fresh ? {} : { runs: 2 }),
      vague: ["4.4/3", "8/4"],
      cost: (steps) => (means.fresh ? 0 : costOf(t, steps)),
      show: (steps) => steps.map((step, index) => `${index + 1}. ${inWords(step)}`).join("; "),
      run: (steps) => play(t, steps, workers),
    });
  },
});

export const sequenceCases = [everything];
