/** The balance of a wallet: what it can be while something is in flight, what it must be when nothing is, and what a wrong one breaks. */
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { ListedModel } from "../cases/case.ts";
import { type Happening, isOver, type ModelJob, type ModelWallet } from "./state.ts";

/** Output tokens up to which every reading of the price is flat. */
const SURELY_FLAT = 449;
/** The units of a failed job may come back by a transaction of their own, a little after the failure was told. */
const RETURNS_WITHIN = 60_000;
/** An estimate may be generous: what is locked too much comes back. */
const GENEROUS = 2;

/** The most that can be locked for a completion of at most so many tokens: the flat price, and every started 1,000. */
export function mostLocked(model: ListedModel, most: number | null): number {
  const { credits_per_request: flat, credits_per_1k_tokens: perThousand, context_window: window } = model;
  const tokens = most ?? Math.max(window, SURELY_FLAT + 1);
  const price = tokens <= SURELY_FLAT ? flat : flat + perThousand * (Math.ceil(tokens / 1_000) + 1);
  return GENEROUS * price;
}

/** What a balance may be: one of some numbers when nothing is in flight, else anything in between. */
export interface Possible {
  readonly least: number;
  readonly most: number;
  /** The balances that are possible when nothing is in flight; null while something is. */
  readonly exact: readonly number[] | null;
}

/** What the balance of a wallet can be at that time. */
export function possibleBalance(wallet: ModelWallet, now: number): Possible {
  let sums = [wallet.bought];
  let locked = 0;
  let quiet = true;
  for (const job of wallet.jobs) {
    const returning = job.status === "failed" && now < (job.overAt ?? now) + RETURNS_WITHIN;
    if (job.answer === "none") continue;
    // A dispute may be opened before the charge is known.
    const unknown = job.status === "disputed" && job.charge === null;
    if (!isOver(job) || returning || unknown) {
      quiet = false;
      locked += job.lock;
    } else if (job.charge !== null && job.status !== "failed" && job.status !== "refunded") {
      const charge = job.charge;
      // What becomes of the units of a disputed job is open.
      sums = job.dispute === null ? sums.map((sum) => sum - charge) : sums.flatMap((sum) => [sum, sum - charge]);
    }
  }
  const distinct = [...new Set(sums)];
  const least = Math.max(0, Math.min(...distinct) - locked);
  return { least, most: Math.max(...distinct), exact: quiet ? distinct : null };
}

/** Whether a balance is one of those. */
export function isPossible(balance: number, possible: Possible): boolean {
  if (possible.exact !== null) return possible.exact.includes(balance);
  return balance >= possible.least && balance <= possible.most;
}

/** The row that a wrong balance breaks, by what happened since it was last right, and by how much it is wrong. */
export function rowOfWrongBalance(
  happened: readonly Happening[],
  difference: number,
  timeAlone: boolean,
): RequirementId {
  const rowOf = (each: Happening): RequirementId => (difference < 0 ? each.low : each.high);
  const rows = new Set(happened.map(rowOf));
  const [only] = rows;
  if (only === undefined) return timeAlone ? "1/5" : "4/4";
  if (rows.size === 1) return only;
  const fitting = new Set(happened.filter((each) => each.units.includes(Math.abs(difference))).map(rowOf));
  const [fits] = fitting;
  return fits !== undefined && fitting.size === 1 ? fits : "4.4/3";
}

/** What a job that is over has done to its wallet. */
export function endOf(job: ModelJob): Happening {
  const charge = job.charge ?? 0;
  const locks = [job.lock, job.model.credits_per_request];
  if (job.status === "refunded") return { low: "4.1/39", high: "4.4/3", units: locks };
  if (job.status === "failed") return { low: "1/9", high: "4.4/3", units: locks };
  if (job.answer === "left") return { low: "4.1/52", high: "4.1/52", units: [charge] };
  const rest = job.lock - charge;
  return { low: rest > 0 ? "4.1/45" : "4.1/38", high: "4.1/38", units: rest > 0 ? [rest, charge] : [charge] };
}
