/** Balances that stand still: what a wallet has when nothing of it is in flight. */
import { at } from "../../exchange/exchange.ts";
import type { CaseContext, Completed, ListedModel, Tier, Wallet } from "../case.ts";
import { idsOf, SETTLES_WITHIN, settledJob, UNFINISHED } from "./jobs.ts";

export const TIERS: readonly Tier[] = ["lite", "standard", "pro", "max"];

/** The cheapest model of each listed tier where wallets are made; else the cheapest model alone, as the wallet is somebody's. */
export function modelsToTry(t: CaseContext): readonly ListedModel[] {
  if (!t.home.fresh) return [t.model()];
  return TIERS.flatMap((tier) => t.models().find((model) => model.tier === tier) ?? []);
}

/** The cheapest model plain and streamed, the others of `modelsToTry` in one of the two forms each. */
export function formsToTry(t: CaseContext): readonly { readonly model: string; readonly stream: boolean }[] {
  return modelsToTry(t).flatMap(({ id: model }, index) =>
    (index === 0 ? [false, true] : [index % 2 === 0]).map((stream) => ({ model, stream })),
  );
}

/** The balance once no job of the wallet is unfinished. Ends the case as inconclusive where that never comes. */
export async function quietBalance(t: CaseContext, wallet: Wallet = t.home): Promise<number> {
  const quiet = async (): Promise<boolean> => {
    for (const status of UNFINISHED) {
      const page = await wallet.api.jobs({ status, limit: 20 });
      const data = at(page.json, "data");
      const unfinished = (job: unknown): boolean => UNFINISHED.includes(String(at(job, "status")));
      if (Array.isArray(data) && data.some(unfinished)) return false;
    }
    return true;
  };
  if (await t.clock.advanceUntil(quiet, { within: SETTLES_WITHIN, step: 1_000 })) return await wallet.balance();
  return t.giveUp("some job of the wallet never came to its end");
}

/** What `run` took from the wallet, read before it and once everything has come to its end. */
export async function takenBy(t: CaseContext, run: () => Promise<unknown>, wallet: Wallet = t.home): Promise<number> {
  const before = await quietBalance(t, wallet);
  await run();
  return before - (await quietBalance(t, wallet));
}

/** A completion that has settled, and the units that its job says it was charged; null where the job says no number. */
export async function chargeFor(
  t: CaseContext,
  done: Completed,
  wallet: Wallet = t.home,
): Promise<{ readonly charge: number | null; readonly tokens: number | null }> {
  const job = await settledJob(t, done.jobId, wallet.api);
  const charge = at(job.json, "credits_charged");
  const tokens = at(job.json, "usage", "completion_tokens");
  return {
    charge: typeof charge === "number" ? charge : null,
    tokens: typeof tokens === "number" ? tokens : done.completionTokens,
  };
}

/** Ids of the newest jobs of the wallet: enough to see whether one came. */
export async function newestJobs(t: CaseContext, wallet: Wallet = t.home): Promise<readonly string[]> {
  const page = await wallet.api.jobs({ limit: 100 });
  t.accepted(page, "listing one's own jobs");
  return idsOf(page);
}
