/** Reading jobs, and waiting for them. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import type { Api } from "../api.ts";
import type { CaseContext } from "../case.ts";

/** Section 3.1. */
export const STATUSES = ["pending", "processing", "settling", "settled", "failed", "refunded", "disputed"] as const;
export const UNFINISHED: readonly string[] = ["pending", "processing", "settling"];
export const ENDED: readonly string[] = ["settled", "failed", "refunded", "disputed"];

/** How long a settlement may take on the service's clock: a chain may be slow, and no limit is stated. */
export const SETTLES_WITHIN = 300_000;

/** `status` of a job; null where there is no such text. */
export function statusOf(job: Exchange): string | null {
  const status = at(job.json, "status");
  return typeof status === "string" ? status : null;
}

/** Reads a job that must be there, else the case ends as inconclusive. */
export async function readJob(t: CaseContext, id: string, api: Api = t.api): Promise<Exchange> {
  const job = await api.job(id);
  t.accepted(job, "reading one's own job");
  return job;
}

/** The job once it has settled, else the case ends as inconclusive: another case holds that against the service. */
export async function settledJob(t: CaseContext, id: string, api: Api = t.api): Promise<Exchange> {
  return await reached(t, id, ["settled"], api);
}

/** Fine steps first, as long as a quick chain takes; then coarse ones. */
const QUICK = 10_000;

/** The job once its status is one of `statuses`, else the case ends as inconclusive. */
export async function reached(
  t: CaseContext,
  id: string,
  statuses: readonly string[],
  api: Api = t.api,
): Promise<Exchange> {
  let last: Exchange | undefined;
  const there = async (): Promise<boolean> => {
    last = await readJob(t, id, api);
    return statuses.includes(statusOf(last) ?? "");
  };
  const came =
    (await t.clock.advanceUntil(there, { within: QUICK })) ||
    (await t.clock.advanceUntil(there, { within: SETTLES_WITHIN - QUICK, step: 2_000 }));
  return came && last !== undefined ? last : t.giveUp(`a job never became ${statuses.join(" or ")}`);
}

/** `on_chain.proof_hash`; null where it is no text. */
export function proofHash(job: Exchange): string | null {
  const hash = at(job.json, "on_chain", "proof_hash");
  return typeof hash === "string" ? hash : null;
}

/** `credits_charged` where it is a number, else 0. */
export function chargeOf(job: Exchange): number {
  const charge = at(job.json, "credits_charged");
  return typeof charge === "number" ? charge : 0;
}

const FIELDS = [
  ...["id", "object", "status", "model", "tier", "credits_charged", "usdg_value", "worker_address", "created_at"],
  ...["completed_at", "on_chain", "usage"],
];
const INNER: Readonly<Record<string, readonly string[]>> = {
  on_chain: ["escrow_tx", "settlement_tx", "escrow_address", "block_number", "proof_hash"],
  usage: ["prompt_tokens", "completion_tokens", "total_tokens"],
};

/** The fields of a job that section 2.3 names, and those that have a value: what else a service adds may change as it likes. */
export function namedFields(job: unknown): Readonly<Record<string, unknown>> {
  const read = (value: unknown, names: readonly string[]): Record<string, unknown> => {
    const fields = names.map((name) => [name, at(value, name)] as const);
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined && field !== null));
  };
  const named = read(job, FIELDS);
  for (const [name, names] of Object.entries(INNER)) if (name in named) named[name] = read(named[name], names);
  return named;
}

/** Ids of the jobs on a page, in its order. */
export function idsOf(page: Exchange): string[] {
  const data = at(page.json, "data");
  if (!Array.isArray(data)) return [];
  return data.flatMap((job) => {
    const id = at(job, "id");
    return typeof id === "string" ? [id] : [];
  });
}

/** Whether an answer claims that a dispute was opened. */
export function opened(dispute: Exchange): boolean {
  return succeeded(dispute) && at(dispute.json, "dispute_opened") === true;
}

/** Waits until the balance stands where it should, as a chain may take its time; resolves to the balance that it came to. */
export async function balanceOf(
  t: CaseContext,
  wallet: { balance(): Promise<number> },
  expected: number,
  within = SETTLES_WITHIN,
): Promise<number> {
  let balance = Number.NaN;
  await t.clock.advanceUntil(
    async () => {
      balance = await wallet.balance();
      return balance === expected;
    },
    { within, step: 1_000 },
  );
  return balance;
}
