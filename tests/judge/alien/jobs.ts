/** The life of a job: locked, taken, told word by word, proved, settled; or dropped, or out of time. */
import type { Chain } from "./chain.ts";
import type { AlienModel, Choices } from "./choices.ts";
import type { FlawId } from "./flaws.ts";
import { type Money, PRICES } from "./money.ts";
import { type Job, type JobNews, type ModelState, type Serving, textOf, type Wallet } from "./state.ts";
import { digest, type Plan, plan, proofOf } from "./text.ts";
import type { Time } from "./time.ts";

const TIMEOUT = 120_000;
const HOUR = 3_600_000;

export interface JobsWorld {
  readonly choices: Choices;
  readonly time: Time;
  readonly chain: Chain;
  readonly money: Money;
  readonly models: ReadonlyMap<string, ModelState>;
  readonly workers: Serving[];
  readonly flawed: (id: FlawId) => boolean;
  readonly emit: (event: string, wallet: Wallet | null, data: Record<string, unknown>, job?: Job) => void;
  readonly changed: (wallet: Wallet, job?: Job) => void;
  /** Stake was taken from a worker. */
  readonly slashed: (address: string | null) => void;
}

export interface Order {
  readonly wallet: Wallet;
  readonly model: AlienModel;
  readonly stream: boolean;
  readonly prompt: string;
  readonly promptTokens: number;
  readonly lastPrompt: number;
  readonly most: number;
  /** As many tokens as are locked for. */
  readonly reckoned: number;
  /** Units without which it would not have been taken. */
  readonly required: number;
  readonly stops: readonly string[];
}

export interface Jobs {
  readonly byId: ReadonlyMap<string, Job>;
  /** The units must be there; they are locked. */
  make(order: Order): Job;
  /** A job that nobody took, made only to be closed. */
  makeEmpty(order: Order, as: "failed" | "refunded"): Job;
  dispute(job: Job): string;
  verdict(job: Job, verdict: "fraudulent" | "honest"): void;
}

export function makeJobs(world: JobsWorld): Jobs {
  const { choices, time, chain, money, flawed } = world;
  const byId = new Map<string, Job>();

  const news = (job: Job, what: JobNews): void => {
    for (const listener of [...job.listeners]) listener(what);
  };
  const idFor = (number: number): string => {
    const hex = digest(`job ${number} of the alien`);
    if (choices.ids === "short") return `job_${number.toString(36).padStart(5, "0")}`;
    if (choices.ids === "odd") return `job_${hex.slice(0, 8)}~${number}.x-${hex.slice(8, 14)}`;
    return `job_${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-")}`;
  };

  const open = (order: Order, planned: Plan, lock: number, whole = 0): Job => {
    const number = byId.size + 1;
    const job: Job = {
      ...{ id: idFor(number), number, wallet: order.wallet, model: order.model, stream: order.stream },
      ...{ createdAt: time.now(), promptTokens: order.promptTokens, plan: planned, lock },
      ...{ lastPrompt: order.lastPrompt, planned: whole },
      ...{ escrowTx: chain.send(`escrow ${number}`), status: "pending", worker: null, lastTokenAt: null },
      ...{ completedAt: null, settledAt: null, settlementTx: null, refundTx: null, block: null, proof: null },
      ...{
        charge: null,
        said: 0,
        over: false,
        readings: 0,
        heard: false,
        left: false,
        deadline: null,
        dispute: null,
        listeners: new Set(),
      },
    };
    byId.set(job.id, job);
    order.wallet.jobs.push(job);
    return job;
  };

  const unlock = (job: Job, charge: number): void => {
    job.wallet.locked = Math.max(0, job.wallet.locked - job.lock);
    job.wallet.credits -= charge;
    world.changed(job.wallet, job);
  };

  const take = (job: Job): void => {
    const state = world.models.get(job.model.id);
    const able = world.workers.filter((worker) => worker.models.includes(job.model.id));
    const worker = able[job.number % Math.max(1, able.length)];
    if (job.over || state === undefined || worker === undefined || state.behaviour === "absent") return;
    job.worker = worker.address;
    job.status = "processing";
    const tellTaken = (): void => world.emit("job.processing", job.wallet, { worker_address: worker.address }, job);
    if (flawed("processing-at-the-end")) whenOver(job, tellTaken);
    else tellTaken();
    news(job, "taken");
    if (state.behaviour === "silent") return;
    if (state.behaviour === "failing") time.after(choices.firstToken, () => falter(job));
    else time.after(choices.firstToken, () => say(job, state.behaviour === "dishonest"));
  };

  const whenOver = (job: Job, run: () => void): void => {
    job.listeners.add((what) => {
      if (what === "settled" || what === "failed" || what === "refunded") run();
    });
  };

  const say = (job: Job, dishonest: boolean): void => {
    if (job.over && !flawed("late-work-paid")) return;
    const total = job.plan.pieces.length;
    job.said = Math.min(total, job.said + choices.tokensPerChunk);
    if (job.said < total) {
      news(job, "token");
      time.after(choices.perToken * choices.tokensPerChunk, () => say(job, dishonest));
      return;
    }
    news(job, "token");
    finish(job, dishonest);
  };

  /** A worker that drops out may have told some of its text. */
  const falter = (job: Job): void => {
    if (job.over) return;
    if (!job.stream || job.said >= Math.min(choices.brokenAfter, job.plan.pieces.length - 1)) {
      drop(job);
      return;
    }
    job.said += 1;
    news(job, "token");
    time.after(choices.perToken, () => falter(job));
  };

  const finish = (job: Job, dishonest: boolean): void => {
    if (job.over) job.status = "settling";
    job.lastTokenAt = time.now();
    job.deadline?.cancel();
    news(job, "finished");
    if (flawed("back-to-pending") && job.model.tier === "pro") job.status = "pending";
    chain.sealed(() => {
      const text = flawed("hash-with-newline") ? `${textOf(job)}\n` : textOf(job);
      const cut = flawed("stream-hash-cut") && job.stream && job.plan.finish === "length";
      job.proof = dishonest ? proofOf(`${text} or so`) : proofOf(cut ? job.plan.pieces.slice(0, -1).join("") : text);
      if (flawed("hash-of-latin") && !dishonest && text.includes("石")) job.proof = proofOf(text.replaceAll("石", "?"));
      job.status = "settling";
      news(job, "proved");
      time.after(choices.settleAfter, () => chain.sealed(() => settle(job)));
    });
  };

  let blockOf = -1;
  const settle = (job: Job): void => {
    if (flawed("thirtieth-never-settles") && job.number % 30 === 0) return;
    const { tokens, charge } = chargeOf(job);
    job.charge = charge;
    job.settlementTx = chain.send(`settlement ${job.number}`);
    if (flawed("settlement-is-escrow") && job.wallet.topUps > 0) job.settlementTx = job.escrowTx;
    job.block = chain.block();
    job.settledAt = time.now();
    job.completedAt = choices.completedAt === "settlement" ? job.settledAt : job.lastTokenAt;
    if (job.status === "settling" || (job.dispute?.verdict ?? null) !== null) job.status = "settled";
    job.over = true;
    const keeps =
      (flawed("stream-keeps-difference") && job.stream) || (flawed("left-never-settles") && job.left && !job.stream);
    const twin = flawed("same-block-difference") && blockOf === chain.block();
    blockOf = chain.block();
    const kept = keeps || twin ? job.lock - charge : 0;
    const twice = flawed("charge-on-leave") && job.left && job.stream ? charge : 0;
    unlock(job, charge + kept + twice);
    const told = flawed("completed-tells-lock") && tokens > 500 ? job.lock : charge;
    const lacking = flawed("completed-before-difference") && job.stream ? job.lock - charge : 0;
    job.wallet.completions += 1;
    const lost = flawed("fourth-completed-lost") && job.wallet.completions % 4 === 0;
    world.emit(
      lost ? "nothing" : "job.completed",
      job.wallet,
      {
        ...{ model: job.model.id, tier: job.model.tier, credits_charged: told },
        usdg_value: told / (flawed("completed-value-tenfold") && job.model.tier === "pro" ? 10 : 100),
        ...{ worker_address: job.worker, settlement_tx: job.settlementTx },
        block_number: flawed("completed-block-text") && job.model.tier === "standard" ? `${job.block}` : job.block,
        ...(flawed("completed-usage-swapped")
          ? { prompt_tokens: tokens, completion_tokens: job.promptTokens }
          : { prompt_tokens: job.promptTokens, completion_tokens: tokens }),
        credits_remaining: money.told(job.wallet) - lacking,
      },
      job,
    );
    news(job, "settled");
  };

  const chargeOf = (job: Job): { tokens: number; charge: number } => {
    const tokens = job.plan.pieces.length;
    if (flawed("stream-long-flat") && job.stream) return { tokens, charge: PRICES[job.model.tier].flat };
    const stopped = job.plan.finish === "stop" && tokens < job.planned;
    if (flawed("stopped-pays-estimate") && stopped) return { tokens, charge: job.lock };
    return { tokens, charge: Math.min(job.lock, money.price(job.model, tokens, job)) };
  };

  const drop = (job: Job): void => {
    if (job.over) return;
    job.over = true;
    job.deadline?.cancel();
    job.status = "failed";
    job.refundTx = chain.send(`return ${job.number}`);
    const back = (): void => unlock(job, flawed("failed-stream-keeps") && job.stream ? PRICES[job.model.tier].flat : 0);
    if (choices.failedReturns === "sealed") chain.sealed(back);
    else back();
    if (!(flawed("stream-failure-silent") && job.stream)) {
      world.emit("job.failed", job.wallet, { reason: "worker_dropped" }, job);
    }
    news(job, "failed");
  };

  let refundedAt = 0;
  const timeOut = (job: Job): void => {
    if (job.over || (flawed("left-not-refunded") && job.left)) return;
    const another = flawed("one-refund-a-second") && time.now() - refundedAt < 1_000;
    refundedAt = time.now();
    job.over = true;
    job.refundTx = chain.send(`refund ${job.number}`);
    const done = (): void => {
      job.wallet.timeouts += 1;
      const second = flawed("second-timeout-failed") && job.wallet.timeouts === 2;
      job.status = second ? "failed" : "refunded";
      if (flawed("refund-held")) job.wallet.held = { units: job.lock, until: time.now() + 10_000 };
      if (flawed("refund-taken-back")) {
        time.after(2 * HOUR, () => {
          job.wallet.credits -= job.lock;
        });
      }
      const kept = flawed("max-refund-flat") && job.model.tier === "max" ? job.lock - PRICES.max.flat : 0;
      unlock(job, another ? job.lock : kept);
      if (flawed("refunded-fades")) {
        time.after(HOUR, () => {
          job.status = "failed";
        });
      }
      const everyone = flawed("timeout-told-to-all") ? null : job.wallet;
      world.emit("job.timeout", everyone, { credits_refunded: job.lock, refund_tx: job.refundTx }, job);
      news(job, "refunded");
    };
    if (choices.refundSealed) chain.sealed(done);
    else done();
  };

  return {
    byId,
    make(order) {
      const state = world.models.get(order.model.id);
      const prompt = digest(order.prompt);
      const length = state?.tokens ?? 6 + (Number.parseInt(prompt.slice(0, 4), 16) % 40);
      const over = flawed("stream-runs-over") && order.stream ? 1 : 0;
      const heeded = flawed("array-stop-first") ? 1 : flawed("fourth-stop-ignored") ? 3 : order.stops.length;
      const stops = order.stops.slice(0, heeded);
      const seed = choices.seeded ? prompt : `${prompt} ${byId.size}`;
      const most = flawed("one-token-is-two") && order.most === 1 ? 2 : order.most + over;
      let planned = plan({ seed, length, most, stops, within: flawed("stop-within-token") });
      const shown = flawed("stream-shows-stop") && order.stream && stops.length > 0 && planned.pieces.length < length;
      if (shown)
        planned = { ...planned, pieces: [...planned.pieces.slice(0, -1), `${planned.pieces.at(-1) ?? ""}${stops[0]}`] };
      // A short completion costs its flat price, and that is locked; what a long one will cost is guessed.
      const factor = order.reckoned > choices.edge ? choices.lockFactor : 1;
      const estimate = factor * money.estimate(order.model, order.reckoned);
      const lock = Math.min(estimate, Math.max(order.required, money.free(order.wallet)));
      const job = open(order, planned, lock, Math.min(length, order.most));
      order.wallet.locked += job.lock;
      if (choices.lowAt === "lock") world.changed(order.wallet);
      const tell = (): void =>
        world.emit("job.submitted", order.wallet, { model: order.model.id, credits_locked: job.lock }, job);
      if (flawed("submitted-at-the-end")) whenOver(job, tell);
      else if (!(flawed("max-submitted-silent") && order.model.tier === "max")) tell();
      const late = flawed("lite-timeout-late") && order.model.tier === "lite" ? 30_000 : 0;
      job.deadline = time.after(TIMEOUT + late - (flawed("timeout-early") ? 500 : 0), () => timeOut(job));
      time.after(Math.ceil(choices.firstToken / 4), () => take(job));
      return job;
    },
    makeEmpty(order, as) {
      const job = open(order, { pieces: [], finish: "stop" }, 0);
      job.status = as;
      job.over = true;
      job.refundTx = chain.send(`nothing ${job.number}`);
      return job;
    },
    dispute(job) {
      const tx = chain.send(`dispute ${job.number} ${job.dispute === null ? "" : time.now()}`);
      job.dispute = { tx, at: time.now(), verdict: null };
      job.status = "disputed";
      if (flawed("dispute-costs") && job.stream) job.wallet.credits -= 1;
      if (flawed("disputed-fades")) time.after(2 * HOUR, () => job.dispute?.verdict === null && restore(job));
      if (choices.noVerdict !== "stays") {
        time.after(24 * HOUR, () => {
          if (job.dispute?.verdict === null && job.settledAt !== null) close(job, choices.noVerdict as "settled");
        });
      }
      if (!(flawed("stream-dispute-silent") && job.stream)) {
        world.emit("job.disputed", job.wallet, { dispute_tx: tx }, job);
      }
      return tx;
    },
    verdict(job, given) {
      if (job.dispute === null) return;
      job.dispute.verdict = given;
      if (given === "fraudulent" || flawed("slash-for-honest")) {
        world.emit("worker.slashed", choices.workerEvents === "all" ? null : job.wallet, {
          worker_address: flawed("slashed-other") ? chain.address("somebody") : job.worker,
          ...{ slash_amount_thea: 250, slash_tx: chain.send(`slash ${job.number}`) },
          ...{ reason: "fraudulent_proof", related_job_id: job.id },
        });
      }
      if (given === "fraudulent") world.slashed(job.worker);
      if (flawed("fraud-pays-streams-twice") && given === "fraudulent" && job.stream) {
        job.wallet.credits += job.charge ?? 0;
      }
      // What has not settled yet does so later, whatever the verdict.
      if (job.settledAt === null) return;
      close(job, given === "honest" ? "settled" : choices.afterVerdict);
    },
  };

  /** What becomes of a disputed job in the end. */
  function close(job: Job, as: Choices["afterVerdict"]): void {
    job.status = as;
    if (as === "refunded" || as === "failed") job.wallet.credits += job.charge ?? 0;
  }

  function restore(job: Job): void {
    job.status = "settled";
  }
}
