/** Jobs that are disputed: made, opened, and what they are when they are. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import type { Api } from "../api.ts";
import type { CaseContext, Completed } from "../case.ts";
import { nearMiss, sha256 } from "./hash.ts";
import { opened, proofHash, settledJob, statusOf } from "./jobs.ts";
import { slack, streamTimes } from "./pace.ts";

export interface Disputed {
  readonly done: Completed;
  /** The job before the dispute, and after it was opened. */
  readonly settled: Exchange;
  readonly job: Exchange;
  readonly answer: Exchange;
}

/** A completed job with the hash that its worker posted. */
export interface Disputable {
  readonly done: Completed;
  readonly job: Exchange;
  readonly posted: string;
}

/** Completes a chat and waits for its settlement. Ends the case where the job tells no hash. */
export async function disputable(
  t: CaseContext,
  changes: Readonly<Record<string, unknown>> = {},
  api: Api = t.api,
): Promise<Disputable> {
  const done = await t.complete(changes, api);
  const job = await settledJob(t, done.jobId, api);
  return { done, job, posted: (proofHash(job) ?? t.giveUp("a settled job tells no proof hash")).toLowerCase() };
}

const WINDOW = 60_000;

/**
 * Whether a dispute was refused as late and may have been: a job may take longer than the window to settle, as no limit is stated. The last token is
 * no older than the request or, of a stream, than the last content that came.
 */
export function mayBeLate(t: CaseContext, { exchange }: Completed, answer: Exchange): boolean {
  if (errorCode(answer) !== "dispute_window_expired") return false;
  const lastToken = streamTimes(exchange)?.lastAt ?? exchange.sentAt;
  return t.clock.now() > lastToken + WINDOW - slack(t);
}

/** Ends the case where a dispute may have been late. */
export function leaveIfLate(t: CaseContext, done: Completed, answer: Exchange): void {
  if (mayBeLate(t, done, answer)) t.leaveOut("a job settles when its dispute window is over");
}

/** Disputes a job whose settlement was waited for. Ends the case where that took the whole window. */
export async function disputeOf(
  t: CaseContext,
  done: Completed,
  body: Parameters<Api["dispute"]>[1],
  api: Api = t.api,
): Promise<Exchange> {
  const answer = await api.dispute(done.jobId, body);
  leaveIfLate(t, done, answer);
  return answer;
}

/**
 * Whether somebody serves these models still: a worker whose stake was taken may have to leave. Where workers can be added, one takes its place, so
 * that what follows finds the network as it was.
 */
export async function hosted(t: CaseContext, models: readonly string[], api: Api = t.api): Promise<boolean> {
  const missing = async (): Promise<string[]> => {
    const data = at((await api.models()).json, "data");
    const listed = Array.isArray(data) ? data.map((entry) => at(entry, "id")) : models;
    return models.filter((id) => !listed.includes(id));
  };
  const gone = await missing();
  if (gone.length === 0) return true;
  if (t.has("workers")) await t.controls.addWorker("native", gone);
  return t.has("workers") && (await missing()).length === 0;
}

const TRIES_FOR = 60_000;
const BETWEEN_TRIES = 1_000;

/**
 * Disputes a job whose answer has just come. Where its proof is not on-chain yet, or it may not be disputed while it settles (4.7/20 is open), it
 * is tried again until the window is over. Resolves to the last answer.
 */
export async function challenge(t: CaseContext, done: Completed, hash: string, api: Api = t.api): Promise<Exchange> {
  let answer = await disputeOf(t, done, hash, api);
  const early = (): boolean =>
    (answer.status === 409 || answer.status === 422) && errorCode(answer) !== "dispute_window_expired";
  if (!early()) return answer;
  await t.clock.advanceUntil(
    async () => {
      answer = await disputeOf(t, done, hash, api);
      return !early();
    },
    { within: TRIES_FOR, step: BETWEEN_TRIES },
  );
  return answer;
}

/** A hash that is not the worker's: at random one of another text, or one that differs in a single digit. */
export function otherHash(t: CaseContext, posted: string): string {
  return t.random.pick([
    sha256(`another text ${t.random.text(8)}`),
    nearMiss(posted, "first"),
    nearMiss(posted, "last"),
  ]);
}

/** Opens a dispute; ends the case as inconclusive where it is not opened, which other cases hold against the service. */
export async function openDispute(
  t: CaseContext,
  changes: Readonly<Record<string, unknown>> = {},
  api: Api = t.api,
): Promise<Disputed> {
  const { done, job: settled, posted } = await disputable(t, changes, api);
  const answer = await disputeOf(t, done, otherHash(t, posted), api);
  if (!opened(answer)) t.giveUp(`a dispute in time was not opened: ${answer.status}`);
  const job = await api.job(done.jobId);
  if (statusOf(job) !== "disputed") t.giveUp("a job whose dispute was opened is not disputed");
  return { done, settled, job, answer };
}
