/** Jobs of a sequence: found, read again and again, and held against the lives that the model gives them. */
import { JOB_STATUSES, type JobStatus } from "../../../fixtures/protocol/index.ts";
import { explainable } from "../../checks/price-reading.ts";
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { endOf } from "../../model/balance.ts";
import { isOver, type ModelJob } from "../../model/state.ts";
import { fateOf } from "../../model/statuses.ts";
import { honestHashes } from "../support/hash.ts";
import { idsOf } from "../support/jobs.ts";
import { slack } from "../support/pace.ts";
import { jobOf, type Play, type Player, playerOf } from "./play.ts";

const SURELY_FLAT = 449;
const SURELY_LONG = 551;

/** Finds the job of a request whose answer has not named it: the one in the list that is nobody else's. */
export async function learnIds(play: Play, { wallet, model }: Player): Promise<void> {
  const nameless = model.jobs.filter((job) => job.id === null && job.answer !== "none");
  if (nameless.length !== 1 || model.key !== "active") return;
  const known = new Set([...model.older, ...model.jobs.map((job) => job.id)]);
  const fresh = idsOf(await wallet.api.jobs({ limit: 100 })).filter((id) => !known.has(id));
  const [id] = fresh;
  const [job] = nameless;
  // A request that nobody hosted may have made a job, too: then it is not known which is which.
  if (id === undefined || job === undefined || fresh.length > 1 || model.jobs.some((each) => each.answer === "none"))
    return;
  job.id = id;
  job.bornBefore = Math.min(job.bornBefore, play.step);
  job.seenAt = play.t.clock.now();
}

/** Reads a job as its owner. */
export async function observeJob(play: Play, player: Player, job: ModelJob): Promise<void> {
  if (job.id === null) return;
  const exchange = await player.wallet.api.job(job.id);
  const ok = play.t.check("4.5/1", succeeded(exchange), {
    title: "a job of one's own cannot be read",
    expected: "200",
    seen: exchange.status,
    exchanges: exchange,
  });
  if (ok) recordJob(play, job, exchange.json, exchange);
}

/** Holds what was read against what may be, and remembers it. */
export function recordJob(play: Play, job: ModelJob, json: unknown, exchange: Exchange): void {
  const { t } = play;
  const now = t.clock.now();
  const status = at(json, "status") as JobStatus;
  if (!JOB_STATUSES.includes(status)) return;
  const { possible, row } = fateOf(job, now, slack(t));
  const fits = t.check(row, possible.includes(status), {
    title: `a job is in a status that nothing led to`,
    expected: possible.join(" or "),
    seen: `${status}, after ${now - job.sentAt} ms; its request was ${job.answer}`,
    exchanges: exchange,
  });
  if (!fits) return;
  const wasOver = isOver(job);
  job.status = status;
  const [charge, tokens] = [at(json, "credits_charged"), at(json, "usage", "completion_tokens")];
  // A dispute may be opened before the settlement, and a job that has none yet may show nothing, its lock, or 0.
  const isCharged = status === "settled" || (status === "disputed" && at(json, "on_chain", "settlement_tx") != null);
  if (typeof charge === "number" && isCharged) job.charge ??= charge;
  if (wasOver || !isOver(job)) return;
  job.overAt = now;
  if (status === "settled" || status === "disputed") {
    job.tokens = typeof tokens === "number" ? tokens : null;
    const hash = at(json, "on_chain", "proof_hash");
    job.postedHash = typeof hash === "string" ? hash.toLowerCase() : null;
    judgeSettled(play, job, exchange);
  }
  job.wallet.happened.push(endOf(job));
}

/** What a settled job says of its price and of its text. */
function judgeSettled({ t }: Play, job: ModelJob, exchange: Exchange): void {
  const { model, charge, tokens, text, postedHash } = job;
  const { credits_per_request: flat, credits_per_1k_tokens: perThousand } = model;
  const seen = `${charge} units for ${tokens} tokens on ${model.tier}${job.stream ? ", streamed" : ""}`;
  if (charge !== null && tokens !== null) {
    if (tokens <= SURELY_FLAT)
      t.check("4.1/41", charge === flat, { expected: `${flat} units`, seen, exchanges: exchange });
    else if (tokens >= SURELY_LONG) {
      const ok = explainable({ flat, perThousand, tokens, charged: charge, unbounded: job.unbounded });
      t.check("4.1/42", ok, { expected: "a price by one of the readings", seen, exchanges: exchange });
    }
  }
  if (text === null || postedHash === null || job.worker === "dishonest" || !job.certain) return;
  t.check(job.stream ? "4.1/32" : "2.3/25", honestHashes(text).includes(postedHash), {
    title: "the posted hash is not that of the text that was delivered",
    expected: honestHashes(text).join(" or "),
    seen: postedHash,
    exchanges: exchange,
  });
}

/** A step that reads one job, as its owner or as somebody else. */
export async function read(play: Play, number: number, by: number): Promise<void> {
  const job = jobOf(play, number);
  if (job === undefined || job.id === null) return;
  const reader = playerOf(play, by);
  reader.model.read = true;
  const own = play.players.find((player) => player.model === job.wallet);
  if (reader === own && reader.model.key === "active") return await observeJob(play, reader, job);
  const exchange = await reader.wallet.api.job(job.id);
  judgeForeign(play, reader, exchange, "4.5/3");
}

/** What is another's is unknown or forbidden, and an inactive key learns nothing. */
export function judgeForeign(play: Play, reader: Player, exchange: Exchange, row: "4.5/3" | "4.7/15" | "4.10/4"): void {
  const { t } = play;
  const { key } = reader.model;
  const wanted = { active: [404, 403], revoked: [401], suspended: [403] }[key];
  t.check(key === "active" ? row : key === "revoked" ? "3.3/2" : "3.3/3", wanted.includes(exchange.status), {
    expected: `${wanted.join(" or ")} with a key that is ${key === "active" ? "another wallet's" : key}`,
    seen: `${exchange.status} ${exchange.text}`.slice(0, 300),
    exchanges: exchange,
  });
}
