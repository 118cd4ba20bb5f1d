/** Which cases run, which are left out and why, and the most that the run can cost. Nothing has been sent for it but the preflight. */
import { isRequirementId, missingNeeds, type Need, requirement } from "../../fixtures/protocol/requirements/index.ts";
import type { Case, Prices, RequirementId } from "../cases/case.ts";
import { ConformError } from "../errors.ts";

/** How to bring what is missing. */
const BRING: { readonly [N in Need]: string } = {
  key: "needs an API key (--key)",
  "second-wallet": "needs a key of another wallet (a second --key)",
  credits: "needs units to spend: the wallet is empty, or the budget is 0 (--max-credits)",
  patience: "needs minutes: a clock that can be moved (--control), or --patience long",
  clock: "needs a clock that can be moved (--control with the capability `clock`)",
  wallets: "needs wallets of its own (--control with the capability `wallets`)",
  keys: "needs keys that can be revoked (--control with the capability `keys`)",
  behaviours: "needs workers that do as they are told (--control with the capability `behaviours`)",
  workers: "needs workers that can be added (--control with the capability `workers`)",
  arbitration: "needs verdicts (--control with the capability `arbitration`)",
  deliveries: "needs the delivery records (--control with the capability `deliveries`)",
  receiver: "needs a webhook receiver that the target can reach (--receiver-url)",
  chain: "needs the settlement chain (--rpc)",
};

/** What to say of a need that is not met. */
export function bring(need: Need): string {
  return BRING[need];
}

export interface Planned {
  readonly case: Case;
  /** Why it does not run; null when it does. */
  readonly leftOut: string | null;
  /** The most units that it takes from a given key's wallet. */
  readonly cost: number;
  /** Whether other cases may go on at the same time. */
  readonly beside: boolean;
}

export interface Plan {
  readonly cases: readonly Planned[];
  /** The most that the cases that run can take, before the budget stops them. */
  readonly cost: number;
}

/** What a case needs: what it says, else what all its rows need together. */
export function needsOf(definition: Case): readonly Need[] {
  if (definition.needs !== undefined) return [...new Set<Need>(["key", ...definition.needs])];
  return [...new Set(definition.requirements.flatMap((row) => requirement(row).needs))];
}

/** Needs of a case that goes on beside others: whatever more it used, it would share with them. */
const SHARED: readonly Need[] = ["key", "credits"];

/**
 * Plans the cases that `only` selects. `fresh` says that wallets are made, and cost nothing; `waiting` that time can only be waited for: then what
 * spends it waiting for chats goes on side by side, and first, as nothing has changed the wallet's past for those that look at it.
 */
export function planOf(
  cases: readonly Case[],
  facts: {
    readonly only: readonly string[];
    readonly available: Iterable<Need>;
    readonly prices: Prices;
    readonly fresh: boolean;
    readonly waiting?: boolean;
  },
): Plan {
  const available = [...facts.available];
  const planned = inOrder(select(cases, facts.only)).map((definition): Planned => {
    const missing = missingNeeds(needsOf(definition), available);
    const cost = facts.fresh || missing.length > 0 ? 0 : (definition.cost?.(facts.prices) ?? 0);
    return {
      case: definition,
      leftOut: missing.length === 0 ? null : missing.map(bring).join("; "),
      cost,
      beside: facts.waiting === true && cost > 0 && goesBeside(definition),
    };
  });
  const ordered = [...planned.filter(({ beside }) => beside), ...planned.filter(({ beside }) => !beside)];
  return { cases: ordered, cost: planned.reduce((sum, each) => sum + each.cost, 0) };
}

/** Whether a case bears others in its wallet at the same time. */
export function goesBeside(definition: Case): boolean {
  return definition.alone !== true && needsOf(definition).every((need) => SHARED.includes(need));
}

/**
 * The order of the table, but those last that leave the network another one: a slashed worker is gone, one that has joined stays, and takes jobs
 * that later cases would rather have had done quickly.
 */
export function inOrder(cases: readonly Case[]): readonly Case[] {
  const lasts = (definition: Case): boolean =>
    needsOf(definition).some((need) => need === "workers" || need === "arbitration");
  return [...cases.filter((each) => !lasts(each)), ...cases.filter(lasts)];
}

/** The cases that some selector names: a section with its subsections, a row, or a case. All, when there is no selector. */
export function select(cases: readonly Case[], only: readonly string[]): readonly Case[] {
  if (only.length === 0) return cases;
  for (const selector of only) {
    if (cases.some((each) => selects(selector, each)) || isRequirementId(selector)) continue;
    throw new ConformError({
      what: "No case is selected.",
      where: `--only ${selector}`,
      seen: selector,
      expected: "a section (4.7), a requirement (4.7/2) or a case (4.7/late)",
      hint: "assay conform --list shows them all",
    });
  }
  return cases.filter((each) => only.some((selector) => selects(selector, each)));
}

function selects(selector: string, definition: Case): boolean {
  if (definition.id === selector) return true;
  return definition.requirements.some((row) => covers(selector, row));
}

/** Whether a selector names a row: by itself, or by a section that it is in. */
export function covers(selector: string, row: RequirementId): boolean {
  const { section } = requirement(row);
  return selector === row || selector === section || section.startsWith(`${selector}.`);
}
