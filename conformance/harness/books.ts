/**
 * The books of the wallets that a case was given: what they began with and what was bought. When the case is over they are closed: once nothing is
 * in flight, the balance must be the sum of what happened to it, whatever the case was about; and it must stay so.
 */
import { RETURNED, UNFINISHED } from "../../fixtures/protocol/index.ts";
import type { Api } from "../cases/api.ts";
import { at, type Exchange, succeeded } from "../exchange/exchange.ts";
import type { Evidence } from "../findings/evidence.ts";
import type { Clock } from "../target/clock.ts";
import type { Controls } from "../target/controls.ts";
import { faultOf } from "./attempt.ts";

/** A wallet that was made in this attempt. */
interface Account {
  readonly key: string;
  readonly address: string;
  /** Units that came in: at the start, and by top-ups. */
  bought: number;
}

export interface Books {
  /** The controls, with an eye on what they do to balances. */
  readonly controls: Controls;
  readonly accounts: readonly Account[];
}

/** Watches the controls of one attempt. */
export function openBooks(controls: Controls): Books {
  const accounts: Account[] = [];
  return {
    accounts,
    controls: {
      ...controls,
      async makeWallet(credits) {
        const made = await controls.makeWallet(credits);
        accounts.push({ key: made.api_key, address: made.wallet, bought: credits });
        return made;
      },
      async topUp(wallet, credits) {
        const balance = await controls.topUp(wallet, credits);
        const account = accounts.find((each) => each.address === wallet);
        if (account !== undefined) account.bought += credits;
        return balance;
      },
    },
  };
}

/** A job times out after 120 seconds; some more until its units are back. */
const LONGEST_LIFE = 135_000;
const RETURNS_WITHIN = 60_000;
const WHOLE_PAGE = 100;

/** The books of one wallet when they were closed. */
export interface ClosedAccount {
  readonly key: string;
  /** The balances that explain what happened. */
  readonly possible: readonly number[];
  readonly evidence: Evidence;
  readonly exchanges: readonly Exchange[];
}

/** Closes the books of an attempt. Says nothing of a wallet whose jobs or balance cannot be read. */
export async function closeBooks(
  books: Books,
  exchanges: readonly Exchange[],
  clock: Clock,
  apiFor: (key: string) => Api,
): Promise<readonly ClosedAccount[]> {
  const closed: ClosedAccount[] = [];
  for (const account of books.accounts) {
    const chats = exchanges.filter(
      ({ endpoint, request }) => endpoint === "POST /v1/chat/completions" && request.key === account.key,
    );
    if (chats.length === 0) continue;
    const judged = await closeAccount(account, exchanges, clock, apiFor(account.key));
    if (judged !== null) closed.push(judged);
  }
  return closed;
}

/**
 * Books that were right stay so: the time limit of every job passes, and no balance moves. The lists are read again, too, as no job may have come to
 * another end. Where time cannot be moved nothing is waited for.
 */
export async function reviewBooks(
  closed: readonly ClosedAccount[],
  clock: Clock,
  apiFor: (key: string) => Api,
): Promise<readonly Evidence[]> {
  const right = closed.filter(({ evidence }) => evidence.kind === "passed");
  if (right.length === 0 || !clock.movable) return [];
  await clock.advance(LONGEST_LIFE);
  const evidence: Evidence[] = [];
  for (const { key, possible, exchanges } of right) {
    const page = await apiFor(key).jobs({ limit: WHOLE_PAGE });
    const balance = await apiFor(key).account();
    const units = at(balance.json, "credits_remaining");
    if (!succeeded(page) || !succeeded(balance) || typeof units !== "number") continue;
    const source = { case: balance.case, by: "audit:books" };
    if (possible.includes(units)) {
      evidence.push({ kind: "passed", requirement: "4.4/3", source });
      continue;
    }
    const fault = faultOf(
      "4.4/3",
      {
        title: "with nothing in flight, a balance moves as time passes",
        expected: possible.join(" or "),
        seen: units,
        exchanges: [...exchanges, page, balance],
      },
      [],
    );
    evidence.push({ kind: "failed", requirement: "4.4/3", source, fault });
  }
  return evidence;
}

async function closeAccount(
  account: Account,
  exchanges: readonly Exchange[],
  clock: Clock,
  api: Api,
): Promise<ClosedAccount | null> {
  let page = await api.jobs({ limit: WHOLE_PAGE });
  const finished = async (): Promise<boolean> => {
    page = await api.jobs({ limit: WHOLE_PAGE });
    return !succeeded(page) || !jobsOf(page).some(isInFlight);
  };
  if (jobsOf(page).some(isInFlight) && !(await clock.advanceUntil(finished, { within: LONGEST_LIFE, step: 1_000 })))
    return null;
  let balance = await api.account();
  let units = at(balance.json, "credits_remaining");
  if (!succeeded(page) || at(page.json, "has_more") !== false || !succeeded(balance) || typeof units !== "number")
    return null;

  const isOpen = (job: unknown): boolean =>
    at(job, "status") === "disputed" ||
    exchanges.some((each) => each.request.path.includes(`/${String(at(job, "id"))}/dispute`) && succeeded(each));
  const charges = jobsOf(page).flatMap((job) => {
    const charged = at(job, "credits_charged");
    const unpaid = isIn(RETURNED, at(job, "status")) && !isOpen(job);
    return typeof charged === "number" && !unpaid ? [{ charged, job }] : [];
  });
  const certain = charges.filter(({ job }) => !isOpen(job)).reduce((sum, each) => sum + each.charged, 0);
  // What becomes of a disputed job's units is open: each may have come back or not.
  const possible = charges
    .filter(({ job }) => isOpen(job))
    .reduce<number[]>(
      (sums, { charged }) => [...new Set(sums.flatMap((sum) => [sum, sum - charged]))],
      [account.bought - certain],
    );
  // The units of a failed job may come back by a transaction of their own, a little after the failure was told.
  if (!possible.includes(units) && jobsOf(page).some((job) => isIn(RETURNED, at(job, "status")))) {
    const back = async (): Promise<boolean> => {
      balance = await api.account();
      units = at(balance.json, "credits_remaining");
      return possible.includes(Number(units));
    };
    // Where the patience ends first, what was read last counts.
    await clock.advanceUntil(back, { within: RETURNS_WITHIN, step: 5_000 }).catch(() => {});
  }
  const source = { case: balance.case, by: "audit:books" };
  const { key } = account;
  if (possible.includes(Number(units))) {
    const evidence: Evidence = { kind: "passed", requirement: "4.4/3", source };
    return { key, possible, evidence, exchanges: [page, balance] };
  }
  const fault = faultOf(
    "4.4/3",
    {
      title: "once nothing is in flight, the balance is not what was bought less what was charged",
      expected: `${possible.join(" or ")}: ${account.bought} bought, ${certain} charged for ${charges.length} jobs`,
      seen: units,
      exchanges: [...exchanges.filter((each) => each.request.key === account.key).slice(-8), page, balance],
    },
    [],
  );
  const evidence: Evidence = { kind: "failed", requirement: "4.4/3", source, fault };
  return { key, possible, evidence, exchanges: [page, balance] };
}

function jobsOf(page: Exchange): readonly unknown[] {
  const data = at(page.json, "data");
  return Array.isArray(data) ? data : [];
}

/** A disputed job is in flight, too, while it has not settled: what it will be charged is locked, and not told yet. */
function isInFlight(job: unknown): boolean {
  const status = at(job, "status");
  if (status === "disputed") return typeof at(job, "on_chain", "settlement_tx") !== "string";
  return isIn(UNFINISHED, status);
}

const isIn = (statuses: readonly string[], status: unknown): boolean => statuses.includes(String(status));
