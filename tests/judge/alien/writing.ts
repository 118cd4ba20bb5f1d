/** Disputes and webhooks. */
import type { Hook } from "./hooks.ts";
import { type Asked, objectOf, Refusal, type Reply } from "./http.ts";
import { jobOf } from "./reading.ts";
import { type Job, textOf, type Wallet } from "./state.ts";
import { proofOf } from "./text.ts";
import type { World } from "./world.ts";

const EVENTS = ["job.submitted", "job.processing", "job.completed", "job.failed", "job.timeout", "job.disputed"].concat(
  [...["credit.low", "credit.topup", "worker.registered", "worker.slashed"]],
);

export async function dispute(world: World, asked: Asked, wallet: Wallet, id: string): Promise<Reply> {
  const { choices, flawed, time } = world;
  const known = world.jobs.byId.get(id);
  if (flawed("foreign-dispute-409") && known !== undefined && known.wallet !== wallet) {
    throw new Refusal(409, "job_state_conflict", "That is not your job.");
  }
  const job = flawed("foreign-dispute")
    ? (world.jobs.byId.get(id) ?? jobOf(world, wallet, id))
    : jobOf(world, wallet, id);
  const hash = hashOf(world, objectOf(asked));
  if (flawed("dispute-races") && job.dispute === null) await new Promise((resolve) => setTimeout(resolve, 3));
  const raced = flawed("dispute-races") && job.dispute !== null && world.time.now() === job.dispute.at;
  const conflict = (message: string): Refusal => new Refusal(choices.conflict, "job_state_conflict", message);
  if (job.dispute !== null && !raced) {
    if (flawed("second-dispute-anew") && hash !== job.proof) return opened(world, job, hash, world.jobs.dispute(job));
    if (choices.secondDispute === "repeated") return opened(world, job, hash, job.dispute.tx);
    throw conflict("The job has been disputed.");
  }
  if (job.proof === null || job.status === "failed" || job.status === "refunded")
    throw conflict("The job has no result.");
  const from = flawed("window-from-request") ? job.createdAt : (job.lastTokenAt ?? 0);
  const same = agrees(world, job, hash);
  const window = flawed("stream-window-50") && job.stream ? 50_000 : 60_000;
  const over = time.now() - from > (flawed("window-61") ? 61_000 : window);
  if (over && !(same && flawed("late-equal-heard"))) {
    throw new Refusal(422, "dispute_window_expired", "The window of 60 seconds is over.");
  }
  if (job.status === "settling" && choices.settlingDispute === "refused") throw conflict("The job is being settled.");
  if (flawed("equal-uses-it-up") && job.heard && !same) throw conflict("The job has been asked about.");
  if (same) job.heard = true;
  if (same && flawed("equal-marks-stream") && job.stream) job.status = "disputed";
  return same ? matching(world, job, hash) : opened(world, job, hash, world.jobs.dispute(job));
}

function agrees({ choices, flawed }: World, job: Job, hash: string): boolean {
  if (flawed("capital-hash-opens-equal")) return hash.slice(7) === (job.proof ?? "").slice(7).toUpperCase();
  if (flawed("dishonest-unfound") && hash === proofOf(textOf(job))) return true;
  return choices.capitalHash === "equal" ? hash.toLowerCase() === job.proof : hash === job.proof;
}

function hashOf({ choices, flawed }: World, body: Record<string, unknown>): string {
  const hash = body.received_output_hash;
  const param = "received_output_hash";
  if (hash === undefined || hash === null) throw new Refusal(400, "invalid_request", "A hash is required.", { param });
  if (flawed("short-hash") && typeof hash === "string" && /^sha256:[0-9a-f]{63}$/.test(hash)) return hash;
  const capitals = choices.capitalHash !== "refused";
  if (typeof hash === "string" && (capitals ? /^sha256:[0-9a-f]{64}$/i : /^sha256:[0-9a-f]{64}$/).test(hash))
    return hash;
  throw new Refusal(choices.invalid, "invalid_request", "That is no hash.", { param });
}

function opened(world: World, job: Job, hash: string, tx: string): Reply {
  const hashes = { your_hash: world.flawed("your-hash-theirs") ? job.proof : hash, worker_hash: job.proof };
  const told = world.flawed("dispute-tx-is-settlement") ? (job.settlementTx ?? tx) : tx;
  const hours = world.flawed("lite-12-hours") && job.model.tier === "lite" ? 12 : 24;
  const result = { job_id: job.id, dispute_opened: true, ...hashes, dispute_tx: told, arbitration_window_hours: hours };
  return { status: world.choices.disputeStatus, body: world.choices.extras ? { ...result, state: "open" } : result };
}

function matching({ choices }: World, job: Job, hash: string): Reply {
  if (choices.matching === "message") return { status: 200, body: { message: "The hashes match. No dispute." } };
  const plain = { job_id: job.id, dispute_opened: false };
  const hashes = { your_hash: hash, worker_hash: job.proof };
  return { status: 200, body: choices.matching === "plain" ? plain : { ...plain, ...hashes, dispute_tx: null } };
}

export function createHook(world: World, asked: Asked, wallet: Wallet): Reply {
  const { choices, flawed } = world;
  const body = objectOf(asked);
  for (const param of ["url", "events", "secret"]) {
    if (flawed("secret-null") && param === "secret" && body.secret === null) body.secret = "null";
    if (body[param] !== undefined && body[param] !== null) continue;
    const told = flawed("param-of-events") && param === "secret" ? "url" : param;
    throw new Refusal(400, "invalid_request", `\`${param}\` is required.`, { param: told });
  }
  const { url, events, secret } = body;
  const spared = (address: string): boolean =>
    (flawed("http-for-localhost") && /^http:\/\/(localhost|127\.)/.test(address)) ||
    (flawed("http-in-capitals") && address.startsWith("HTTP:"));
  const wrong = (param: string): Refusal =>
    new Refusal(choices.invalid, "invalid_request", `\`${param}\` is unusable.`, { param });
  if (typeof url !== "string" || !URL.canParse(url) || (new URL(url).protocol !== "https:" && !spared(url)))
    throw wrong("url");
  if (!Array.isArray(events) || events.length === 0 || !events.every((each) => EVENTS.includes(each)))
    throw wrong("events");
  if (flawed("slashed-not-offered") && events.includes("worker.slashed")) throw wrong("events");
  if (typeof secret !== "string" || secret === "") throw wrong("secret");
  const twice = world.hooks.all.some((hook) => hook.wallet === wallet && !hook.deleted && hook.url === url);
  if (twice && choices.sameUrl === "conflict") throw new Refusal(409, "webhook_exists", "That address is registered.");
  const hook = world.hooks.add(wallet, { url, events: events as string[], secret });
  return { status: choices.hookCreated, body: hookBody(world, hook) };
}

const bornOr = ({ flawed, bornAt }: World, { createdAt }: Hook): number =>
  flawed("hook-created-at-boot") ? bornAt : createdAt;

function hookBody(world: World, hook: Hook): object {
  const { id, events, status } = hook;
  const url = world.flawed("url-loses-query") ? hook.url.replace(/\?.*$/, "") : hook.url;
  return { id, url, events, created_at: world.stamp(bornOr(world, hook)), status };
}

const returned = ({ flawed, time }: World, { deletedAt }: Hook): boolean =>
  flawed("deleted-returns") && deletedAt !== null && time.now() - deletedAt >= 60_000;

export function listHooks(world: World, wallet: Wallet): Reply {
  const data = world.hooks.all
    .filter((hook) => hook.wallet === wallet && (!hook.deleted || returned(world, hook)))
    .filter((hook) => !(world.flawed("failed-unlisted") && hook.status !== "active"))
    .map((each) => {
      const body = hookBody(world, each);
      if (world.flawed("failed-shows-secret") && each.status !== "active") return { ...body, secret: each.secret };
      return world.flawed("list-says-active") ? { ...body, status: "active" } : body;
    });
  const shapes = {
    array: data,
    data: { data },
    list: { object: "list", data, has_more: false },
    named: { webhooks: data },
    keyed: Object.fromEntries(data.map((each) => [(each as { id: string }).id, each])),
    grouped: {
      active: data.filter((each) => (each as { status: string }).status === "active"),
      others: data.filter((each) => (each as { status: string }).status !== "active"),
    },
  };
  return { status: 200, body: shapes[world.choices.hookList] };
}

export function deleteHook(world: World, wallet: Wallet, id: string): Reply {
  const hook = world.hooks.all.find((each) => each.id === id && !each.deleted);
  if (hook === undefined || (hook.wallet !== wallet && !world.flawed("foreign-delete"))) {
    throw new Refusal(404, world.choices.notFound, "There is no such webhook.");
  }
  world.hooks.remove(hook);
  const oldest = world.hooks.all.find((each) => each.wallet === wallet && !each.deleted);
  if (world.flawed("delete-takes-twin") && oldest !== undefined) world.hooks.remove(oldest);
  const { hookDeleted } = world.choices;
  if (hookDeleted === "object") return { status: 200, body: { id, deleted: true } };
  return { status: hookDeleted === "empty" ? 204 : 202 };
}
