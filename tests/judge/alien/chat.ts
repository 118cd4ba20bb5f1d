/** `POST /v1/chat/completions`. */
import { type ChatAsked, checkedChat } from "./chat-form.ts";
import { type Asked, objectOf, Refusal, type Reply } from "./http.ts";
import type { Order } from "./jobs.ts";
import { PRICES } from "./money.ts";
import { isHosted } from "./reading.ts";
import type { Job, JobNews } from "./state.ts";
import { textOf, type Wallet } from "./state.ts";
import { streamTo } from "./stream.ts";
import type { World } from "./world.ts";

export async function chat(world: World, asked: Asked, wallet: Wallet): Promise<Reply | null> {
  const form = checkedChat(world, objectOf(asked));
  const order = orderOf(world, form, wallet);
  const { model } = form;
  const state = world.models.get(model.id);
  if (state === undefined || !isHosted(world, model.id)) return nobody(world, order);
  if (world.flawed("absent-sticks") && world.time.now() - state.backAt < 60_000) return nobody(world, order);
  const { required } = order;
  const short = (): boolean => {
    const free = world.money.free(wallet);
    const dear = world.flawed("exact-balance-short") && PRICES[model.tier].flat >= 18;
    return dear ? free <= required : free < required;
  };
  if (world.flawed("hundredth-refused") && wallet.jobs.length >= 99) {
    throw new Refusal(403, "quota_reached", "That was enough for this wallet.");
  }
  if (short()) throw unaffordable(world, wallet, form, required);
  if (world.flawed("lock-after-pause")) await new Promise((resolve) => setTimeout(resolve, 3));
  const job = world.jobs.make(order);
  asked.response.on("close", () => {
    job.left = !asked.response.writableFinished;
  });
  return form.stream ? await streamTo(world, asked, job, form) : await whole(world, asked, job);
}

function orderOf(world: World, form: ChatAsked, wallet: Wallet): Order {
  const { money, choices } = world;
  const room = Math.max(1, form.model.window - form.promptTokens);
  const prompt = `${JSON.stringify(form.messages)} ${form.seed ?? ""}`;
  let most = Math.min(form.most ?? room, room);
  const reckoned = (): number => (form.most === null ? Math.min(most, choices.guess) : most);
  const within = choices.estimate === "within";
  // A balance that does not bear the whole estimate bears a shorter completion.
  if (within && money.free(wallet) < money.estimate(form.model, reckoned())) {
    while (most > choices.edge && money.estimate(form.model, reckoned()) > money.free(wallet)) most -= 25;
  }
  const required = within ? PRICES[form.model.tier].flat : money.estimate(form.model, reckoned());
  return {
    required,
    wallet,
    model: form.model,
    stream: form.stream,
    prompt,
    promptTokens: form.promptTokens,
    lastPrompt: form.lastPrompt,
    most,
    reckoned: reckoned(),
    stops: form.stops,
  };
}

function unaffordable(world: World, wallet: Wallet, { model }: ChatAsked, required: number): Refusal {
  const tier = world.flawed("details-of-cheapest") ? "lite" : model.tier;
  const remaining =
    world.choices.shows === "free" || world.choices.refusalShows === "account"
      ? world.money.shown(wallet)
      : Math.min(required - 1, wallet.credits);
  return new Refusal(402, "insufficient_credits", "The balance does not bear this request.", {
    details: { credits_remaining: remaining, credits_required: required, tier },
  });
}

function nobody(world: World, order: Order): never {
  const { absentMakes, retryAfter } = world.choices;
  if (absentMakes !== "nothing") world.jobs.makeEmpty(order, absentMakes);
  const wait = world.flawed("retry-after-text") && order.stream ? "7" : 7;
  const details = { model: order.model.id, ...(retryAfter ? { retry_after: wait } : {}) };
  throw new Refusal(503, "no_workers_available", "Nobody hosts the model now.", { param: "model", details });
}

/** Resolves to the first of these that happens to the job. */
export function until(job: Job, ...what: readonly JobNews[]): Promise<JobNews> {
  return new Promise((resolve) => {
    const listener = (happened: JobNews): void => {
      if (!what.includes(happened)) return;
      job.listeners.delete(listener);
      resolve(happened);
    };
    job.listeners.add(listener);
  });
}

async function whole(world: World, asked: Asked, job: Job): Promise<Reply> {
  const ready = ({ "last-token": "finished", proof: "proved", settled: "settled" } as const)[world.choices.answers];
  const happened = await until(job, ready, "failed", "refunded");
  if (happened === "failed" || happened === "refunded") throw brokenBy(world, asked, job);
  const completion = job.plan.pieces.length;
  const usage = {
    ...{ prompt_tokens: job.promptTokens, completion_tokens: completion, total_tokens: job.promptTokens + completion },
  };
  const finish = world.flawed("length-says-stop") && job.stream ? "stop" : job.plan.finish;
  const choice = { index: 0, message: { role: "assistant", content: textOf(job) }, finish_reason: finish };
  const body = {
    ...{ id: `chatcmpl-${job.id}`, object: "chat.completion", created: Math.floor(job.createdAt / 1_000) },
    ...{ model: job.model.id, choices: [world.choices.extras ? { ...choice, logprobs: null } : choice], usage },
    ...(world.choices.extras ? { system_fingerprint: "alien-2" } : {}),
  };
  const headers = receiptsOf(world, asked, job);
  if (world.flawed("receipt-before-charge")) {
    const name = `x-${world.choices.brand}-credits-remaining`;
    headers[name] = String(Number(headers[name]) + (job.charge ?? 0));
  }
  return { status: 200, body, headers };
}

function dropped({ choices: { failed, failedCode } }: World, job: Job): Refusal {
  if (failedCode === "own") {
    return new Refusal(failed, "job_failed", "The worker dropped out.", { details: { job_id: job.id } });
  }
  const details = { model: job.model.id, retry_after: 3 };
  return new Refusal(503, failedCode, "The worker dropped out, and there is no other.", { details });
}

/** The error of a job that gave no answer. */
export function brokenBy(world: World, asked: Asked, job: Job): Refusal {
  const refusal =
    job.status === "failed"
      ? dropped(world, job)
      : new Refusal(504, "job_timeout", "No worker finished in time.", {
          details: {
            job_id: job.id,
            credits_refunded: world.flawed("refund-told-flat") ? PRICES[job.model.tier].flat : job.lock,
            refund_tx: world.flawed("refund-tx-is-lock") ? job.escrowTx : job.refundTx,
          },
        });
  refusal.headers = receiptsOf(world, asked, job);
  return refusal;
}

export function receiptsOf(world: World, asked: Asked, job: Job): Record<string, string | undefined> {
  const other = world.flawed("stream-worker-other") && job.stream ? world.chain.address("somebody") : job.worker;
  const latest = world.flawed("receipt-races") ? (job.wallet.jobs.at(-1) ?? job) : job;
  return world.receipts(asked, {
    ...{ "job-id": job.id, "tx-hash": latest.escrowTx, "settlement-tx": job.settlementTx, worker: other },
  });
}
