/** Models, accounts and jobs as they are read. */
import type { AlienModel, Choices } from "./choices.ts";
import { type Asked, Refusal, type Reply } from "./http.ts";
import { PRICES } from "./money.ts";
import type { Job, Status, Wallet } from "./state.ts";
import type { World } from "./world.ts";

const CREATED = Math.floor(Date.UTC(2026, 4, 17, 9) / 1_000);

function modelBody(world: World, model: AlienModel): object {
  const { flat, perThousand } = PRICES[model.tier];
  return {
    ...{ id: model.id, object: "model", created: CREATED, owned_by: "the-alien-commons" },
    [world.choices.brand]: {
      ...{ tier: model.tier, credits_per_request: flat, credits_per_1k_tokens: perThousand },
      active_workers: world.workers
        .filter((_, index) => !(world.flawed("workers-counted-once") && index >= 2 * world.choices.models.length))
        .filter((worker) => worker.models.includes(model.id))
        .filter((worker) => !(world.flawed("browser-uncounted") && worker.kind === "browser")).length,
      ...{
        median_latency_ms: world.choices.firstToken + (latencyOff(world, model) ? 0.5 : 0),
        parameters: model.parameters,
        context_window: model.window,
      },
      ...(world.choices.extras ? { quantisation: "q5" } : {}),
    },
  };
}

const latencyOff = (world: World, model: AlienModel): boolean =>
  world.flawed("max-latency-fraction") && model.tier === "max";

/** Workers may be told to be away, and those that lost their stake may have left. */
export const isHosted = (world: World, id: string): boolean =>
  world.models.get(id)?.behaviour !== "absent" && world.workers.some((worker) => worker.models.includes(id));

const hosted = (world: World): readonly AlienModel[] =>
  world.choices.models.filter(
    (model) => isHosted(world, model.id) || (world.flawed("absent-lite-listed") && model.tier === "lite"),
  );

export function modelList(world: World): Reply {
  return { status: 200, body: { object: "list", data: hosted(world).map((model) => modelBody(world, model)) } };
}

export function oneModel(world: World, id: string): Reply {
  const model = hosted(world).find((each) => each.id === id);
  if (model !== undefined) {
    const body = modelBody(world, model);
    return { status: 200, body: world.flawed("one-model-created") ? { ...body, created: CREATED + 60 } : body };
  }
  const { unknownModel, notFound } = world.choices;
  const code = unknownModel === 400 ? "model_not_found" : notFound;
  throw new Refusal(unknownModel, code, "There is no such model.", { param: "model" });
}

export function account(world: World, wallet: Wallet): Reply {
  const { choices, money, flawed } = world;
  const balance = money.shown(wallet);
  const value = flawed("value-rounded") && balance > 1_000 ? Math.round(balance / 100) : balance / 100;
  const topped = wallet.toppedUpAt ?? (choices.neverTopped === "created" ? wallet.createdAt : null);
  return {
    status: 200,
    body: {
      ...{ wallet: wallet.address, credits_remaining: balance, usdg_value: value },
      ...(topped === null && choices.neverTopped === "absent"
        ? {}
        : { last_topup_at: topped === null ? null : toppedAt(world, wallet, topped) }),
      ...(choices.keyCreated ? { api_key_created_at: world.stamp(wallet.createdAt) } : {}),
      ...(choices.extras ? { currency: "credits" } : {}),
    },
  };
}

function toppedAt(world: World, { topUps }: Wallet, at: number): string {
  const time = world.stamp(at);
  return world.flawed("topup-time-local") && topUps > 1 ? time.slice(0, 19) : time;
}

const DAY = 86_400_000;

/** The job of that id, if it is the wallet's. */
export function jobOf(world: World, wallet: Wallet, id: string): Job {
  const job = world.jobs.byId.get(id);
  const gone = world.flawed("job-forgotten") && world.time.now() - (job?.settledAt ?? Infinity) >= DAY;
  if (job !== undefined && job.wallet === wallet && !gone) return job;
  throw new Refusal(404, world.choices.notFound, "There is no such job.", { param: "job_id" });
}

export function oneJob(world: World, asked: Asked, wallet: Wallet, id: string): Reply {
  const job = world.jobs.byId.get(id);
  if (job !== undefined && world.flawed("foreign-job") && job.status === "settled") {
    return { status: 200, body: jobBody(world, job) };
  }
  if (job === undefined && world.flawed("unknown-job-html")) {
    return { status: 404, text: { type: "text/html", text: "<h1>Not found</h1>" } };
  }
  return { status: 200, body: jobBody(world, jobOf(world, wallet, id)), headers: world.receipts(asked) };
}

const capitals = (hash: string): string => `sha256:${hash.slice("sha256:".length).toUpperCase()}`;

/** The statuses of a job in flight may be seen, or some of them be skipped. */
export function seenStatus({ statuses }: Choices, { status }: Job): Status {
  if (statuses === "pending-only" && (status === "processing" || status === "settling")) return "pending";
  return statuses === "no-settling" && status === "settling" ? "processing" : status;
}

export function jobBody(world: World, job: Job): Record<string, unknown> {
  const { choices, flawed } = world;
  const unpaid = job.status === "failed" || (job.status === "refunded" && job.charge === null);
  const early = choices.unfinished === "early";
  const known = job.charge ?? (early ? job.lock : null);
  const charge = unpaid ? (choices.unpaidCharge === "locked" ? job.lock : choices.unpaidCharge) : known;
  const settled = job.settledAt !== null;
  const stopped = flawed("job-usage-uncut") && job.plan.finish === "stop" && job.plan.pieces.length < job.planned;
  const completion = stopped ? job.planned : job.plan.pieces.length;
  const prompt = flawed("job-prompt-of-last") ? job.lastPrompt : job.promptTokens;
  const tomorrow = flawed("completed-tomorrow") && job.stream ? DAY : 0;
  const completed = flawed("completed-before-created") && job.stream ? job.createdAt - 1_000 : job.completedAt;
  const late = flawed("refunded-created-later") && job.status === "refunded";
  const block = flawed("block-moves") && job.block !== null ? world.chain.block() : job.block;
  const off = flawed("usage-off-when-cut") && job.plan.finish === "length" ? 1 : 0;
  job.readings += 1;
  const flickers = flawed("settled-flickers") && job.status === "settled" && job.readings % 5 === 0;
  const browser = world.workers.find((each) => each.address === job.worker)?.kind === "browser";
  const worker = flawed("browser-address-short") && browser ? (job.worker ?? "").slice(0, 20) : job.worker;
  const dearer = flawed("browser-dearer") && browser && job.settledAt !== null ? 1 : 0;
  const proof = flawed("capital-hash-opens-equal") && job.proof !== null ? capitals(job.proof) : job.proof;
  const fields: Record<string, unknown> = {
    ...{
      id: job.id,
      object: "job",
      status: flickers ? "settling" : seenStatus(choices, job),
      model: job.model.id,
      tier: job.model.tier,
    },
    credits_charged: charge === "absent" ? undefined : charge,
    usdg_value: typeof charge === "number" ? (charge + dearer) / 100 : null,
    worker_address: worker,
    created_at: world.stamp(late ? job.createdAt + 120_000 : job.createdAt),
    completed_at: job.completedAt === null || completed === null ? null : world.stamp(completed + tomorrow),
    on_chain: settled
      ? {
          ...{ escrow_tx: job.escrowTx, settlement_tx: job.settlementTx, block_number: block },
          ...{ escrow_address: world.chain.address("escrow"), proof_hash: proof },
        }
      : early
        ? { escrow_tx: job.escrowTx, escrow_address: world.chain.address("escrow"), proof_hash: job.proof }
        : null,
    usage: settled
      ? {
          ...{ prompt_tokens: prompt, completion_tokens: completion },
          total_tokens: prompt + completion - off,
        }
      : null,
    ...(choices.extras ? { region: "far-away", queue_ms: 3 } : {}),
  };
  const absent = choices.unfinished === "absent";
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !(absent && value === null)),
  );
}
