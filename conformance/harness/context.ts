/** What a running case is given, put together from the target and one attempt. */
import type { Api } from "../cases/api.ts";
import type { Case, CaseContext, ListedModel, RequirementId, Shown, Subscription } from "../cases/case.ts";
import { completedFrom } from "../checks/completed.ts";
import { Stop } from "../errors.ts";
import { at, type Exchange, segmentOf, succeeded } from "../exchange/exchange.ts";
import { hash32, random } from "../target/random.ts";
import { makeApi } from "./api.ts";
import { type Attempt, CheckFailed, faultOf } from "./attempt.ts";
import { closeBooks, openBooks, reviewBooks } from "./books.ts";
import type { Budget } from "./budget.ts";
import { needsOf } from "./plan.ts";
import { tryProperty } from "./property.ts";
import type { Target } from "./target.ts";
import { walletPool } from "./wallets.ts";

/** A context, and what must be done when its case is over. */
export interface OpenContext {
  readonly context: CaseContext;
  /** Leaves what is still in flight, lifts behaviours, closes the wallets' books, deletes webhooks. Never throws. */
  close(): Promise<void>;
}

const USUAL_CREDITS = 5_000;
const SETTLES_WITHIN = 60_000;
/**
 * A delivery is given up after 10 s of the service's time. Where that is less than a second here, a busy machine answers some too late, and what a case
 * then misses says nothing of the service. What monitors see in the deliveries that came stands.
 */
const MOST_RATE = 10;
/** The one requirement that is about 429 itself: neither a missing worker nor many jobs are answered so. */
const BURST_ROW = "7.1/6";
/** Why a fault that was seen near a 429 blames nobody. */
export const BURST_LIMIT = "a burst limit (429) came between its requests";

/** Opens the context of one attempt at a case, on a target whose requests are that attempt's. `paths` tells where earlier counterexamples of its properties lie; those are tried first. */
export async function openContext(
  target: Target,
  definition: Case,
  attempt: Attempt,
  budget: Budget,
  paths: readonly string[] = [],
): Promise<OpenContext> {
  const { clock, options, models } = target;
  const books = openBooks(target.controls);
  const { controls } = books;
  const cleanups: (() => Promise<unknown>)[] = [];
  const lifted = new Set<string>();
  const source = { case: definition.id, by: "case" } as const;
  let inProperty = false;
  let properties = 0;
  let subscriptions = 0;

  // Only a given key's wallet has an owner who pays: what the controls made, or a case made up, costs nobody anything.
  const given = new Set(target.keys.map((each) => each.key));
  const apiFor = (key: string | null): Api =>
    makeApi({
      http: target.http,
      key,
      models,
      reserve: (units) => {
        if (key !== null && given.has(key)) budget.reserve(key, units);
      },
    });
  const pool = walletPool({ ...target, controls }, apiFor);
  const mine = (row: RequirementId): void => {
    if (!definition.requirements.includes(row)) {
      throw new Error(`case ${definition.id} gives evidence for ${row}, which is not among its requirements`);
    }
  };

  const home = await pool.home(definition.wallet ?? USUAL_CREDITS);

  const hurried = clock.rate > MOST_RATE && needsOf(definition).includes("receiver");
  const fail = (row: RequirementId, shown: Shown): void => {
    mine(row);
    if (hurried) {
      const reason = `${definition.id}: the service's clock is too fast for this machine to answer deliveries in time`;
      attempt.add({ kind: "inconclusive", requirement: row, source, reason });
      return;
    }
    const fault = faultOf(row, shown, attempt.exchanges);
    // Time passes while a 429 is waited out, and what was sent beside others cannot be sent again in time.
    const limited = attempt.exchanges.some(
      ({ beside, status, retried, number }) =>
        (beside && status === 429) || (retried > 0 && fault.exchanges.includes(number)),
    );
    if (limited && row !== BURST_ROW) {
      attempt.add({ kind: "not-exercised", requirement: row, source, reason: BURST_LIMIT });
      return;
    }
    if (inProperty) throw new CheckFailed(fault);
    attempt.add({ kind: "failed", requirement: row, source, fault });
  };
  const pass = (row: RequirementId): void => {
    mine(row);
    attempt.add({ kind: "passed", requirement: row, source });
  };
  const model: CaseContext["model"] = (tier) => {
    const found = models.find((each) => tier === undefined || each.tier === tier);
    if (found !== undefined) return found;
    throw new Stop("not-exercised", tier === undefined ? "the target lists no model" : `no ${tier} model is listed`);
  };

  const context: CaseContext = {
    api: home.api,
    home,
    clock,
    controls,
    receiver: target.receiver,
    chain: target.chain,
    brand: options.brand,
    random: random(options.seed, definition.id),
    runs: options.runs,
    exchanges: attempt.exchanges,
    has: (need) => target.available.has(need),
    as: apiFor,
    wallet: (wanted = {}) => (wanted.credits === undefined ? pool.used(USUAL_CREDITS) : pool.fresh(wanted.credits)),
    otherWallet: (wanted = {}) => pool.other(home, wanted.credits ?? USUAL_CREDITS),
    models: () => (models.length > 0 ? models : [model()]),
    model,

    async behave(which, behaviour, outputTokens) {
      const id = typeof which === "string" ? which : which.id;
      await controls.setBehaviour(id, behaviour, outputTokens);
      if (!lifted.has(id)) cleanups.push(() => controls.setBehaviour(id, "normal"));
      lifted.add(id);
    },

    async complete(changes = {}, api = home.api) {
      const exchange = await api.say(changes);
      const completed = completedFrom(exchange, options.brand);
      if (completed !== null) return completed;
      throw new Stop("inconclusive", `a valid chat was not completed: ${outcomeOf(exchange)}`);
    },

    async jobWhen(jobId, statuses, { within = SETTLES_WITHIN, api = home.api } = {}) {
      let last: Exchange | null = null;
      const reached = async (): Promise<boolean> => {
        last = await api.job(jobId);
        const status = at(last.json, "status");
        return typeof status === "string" && statuses.includes(status);
      };
      return (await clock.advanceUntil(reached, { within })) ? last : null;
    },

    async subscribe({ events, script, secret, api = home.api }): Promise<Subscription> {
      if (target.noReceiver !== null) throw new Stop("not-exercised", target.noReceiver);
      subscriptions += 1;
      const own = secret ?? `whsec_${random(options.seed, `${definition.id}:${subscriptions}`).text(42)}`;
      target.secrets.add(own, "webhook secret");
      const endpoint = target.receiver.open(definition.id, script);
      const created = await api.createWebhook({ url: endpoint.url, events, secret: own });
      const id = at(created.json, "id");
      if (succeeded(created) && typeof id === "string") return { id, secret: own, endpoint, created };
      throw new Stop("inconclusive", `a webhook could not be registered: ${outcomeOf(created)}`);
    },

    check(row, condition, shown = {}) {
      if (condition) pass(row);
      else fail(row, shown);
      return condition;
    },
    pass,
    fail,
    observe(row, choice, { consistent = false } = {}) {
      mine(row);
      attempt.add({ kind: "observed", requirement: row, source, choice, consistent });
    },
    inconclusive(row, reason) {
      mine(row);
      attempt.add({ kind: "inconclusive", requirement: row, source, reason });
    },
    notExercised(row, reason) {
      mine(row);
      attempt.add({ kind: "not-exercised", requirement: row, source, reason });
    },
    accepted(exchange, what = "a request without fault") {
      if (!succeeded(exchange)) throw new Stop("inconclusive", `${what} was not accepted: ${outcomeOf(exchange)}`);
    },
    giveUp(reason) {
      throw new Stop("inconclusive", reason);
    },
    leaveOut(reason) {
      throw new Stop("not-exercised", reason);
    },

    async property(property) {
      properties += 1;
      inProperty = true;
      try {
        const counterexample = await tryProperty(property, {
          attempt,
          seed: hash32(`${options.seed}:${definition.id}:${properties}`) | 0,
          runs: options.runs,
          path: pathOf(paths, properties),
          affords: (cost) => home.fresh || budget.affords(cost),
        });
        if (counterexample !== null) {
          const { fault, path } = counterexample;
          const replay = path === undefined ? undefined : `${properties}:${path}`;
          attempt.add({ kind: "failed", requirement: fault.requirement, source, fault, path: replay });
        }
      } finally {
        inProperty = false;
      }
    },
  };

  return {
    context,
    async close() {
      target.http.abandon("the case is over");
      for (const lift of cleanups.splice(0)) await lift().catch(() => {});
      const closed = await closeBooks(books, [...attempt.exchanges], clock, apiFor).catch(() => []);
      for (const { evidence } of closed) attempt.add(evidence);
      for (const [api, id] of createdWebhooks(attempt, apiFor)) {
        cleanups.push(async () => await api.deleteWebhook(id));
      }
      for (const cleanup of cleanups) {
        // A control or a target that fails now has shown it elsewhere; the next case must still begin.
        await cleanup().catch(() => {});
      }
      for (const each of await reviewBooks(closed, clock, apiFor).catch(() => [])) attempt.add(each);
    },
  };
}

/** A replay path is `<property>:<path>`: the property's number in its case, then fast-check's path. */
function pathOf(paths: readonly string[], property: number): string | undefined {
  const prefix = `${property}:`;
  return paths.find((path) => path.startsWith(prefix))?.slice(prefix.length);
}

/** Webhooks that were made in this attempt and not deleted, with the API of the key that made them. */
function createdWebhooks(attempt: Attempt, apiFor: (key: string) => Api): [Api, string][] {
  const left = new Map<string, string>();
  for (const exchange of attempt.exchanges) {
    const id = at(exchange.json, "id");
    const { key } = exchange.request;
    if (exchange.endpoint === "POST /v1/webhooks" && succeeded(exchange) && typeof id === "string" && key !== null) {
      left.set(id, key);
    }
    if (exchange.endpoint === "DELETE /v1/webhooks/{webhook_id}" && succeeded(exchange)) {
      left.delete(segmentOf(exchange, 3));
    }
  }
  return [...left].map(([id, key]) => [apiFor(key), id]);
}

/** How an exchange ended, in a few words. */
export function outcomeOf(exchange: Exchange): string {
  if (exchange.ending !== "answered") return `${exchange.ending} (${exchange.error ?? "no more is known"})`;
  const code = at(exchange.json, "error", "code");
  return typeof code === "string" ? `${exchange.status} ${code}` : `status ${exchange.status}`;
}

export type { ListedModel };
