/**
 * The price list, as all charges of a run show it (sections 4.1, 8). Short completions cost the flat price of their model; long ones what
 * one honest reading of the price says, and it must be one reading, with one edge, for every charge.
 */
import { FLAT_EDGE } from "../../fixtures/protocol/index.ts";
import { completedFrom } from "../checks/completed.ts";
import { jobsIn } from "../checks/monitors/jobs.ts";
import { type Charge, explainable, firstUnexplained } from "../checks/price-reading.ts";
import { at, type Exchange, succeeded } from "../exchange/exchange.ts";
import type { Evidence } from "../findings/evidence.ts";

/** A charge, and the job that it is of. */
interface Charged extends Charge {
  readonly job: string;
  readonly model: string;
  /** The exchange that tells it. */
  readonly exchange: Exchange;
}

interface Price {
  readonly flat: number;
  readonly perThousand: number;
}

export function auditPrices(log: readonly Exchange[], brand: string): readonly Evidence[] {
  const charges = chargesOf(log, pricesOf(log, brand), brand);
  return [...charges.filter(isShort).map(judgeShort), ...judgeLong(charges)];
}

const isShort = (charge: Charged): boolean => charge.tokens <= FLAT_EDGE.minimum;

function pricesOf(log: readonly Exchange[], brand: string): ReadonlyMap<string, Price> {
  const prices = new Map<string, Price>();
  for (const exchange of log) {
    if (exchange.endpoint !== "GET /v1/models" || !succeeded(exchange)) continue;
    const data = at(exchange.json, "data");
    for (const model of Array.isArray(data) ? data : []) {
      const [flat, perThousand] = [at(model, brand, "credits_per_request"), at(model, brand, "credits_per_1k_tokens")];
      if (typeof flat === "number" && typeof perThousand === "number") {
        prices.set(String(at(model, "id")), { flat, perThousand });
      }
    }
  }
  return prices;
}

/** The charge of every settled job, once, as it was read first. */
function chargesOf(log: readonly Exchange[], prices: ReadonlyMap<string, Price>, brand: string): readonly Charged[] {
  const charges = new Map<string, Charged>();
  const unbounded = unboundedJobs(log, brand);
  for (const exchange of log) {
    for (const job of jobsIn(exchange)) {
      const id = String(at(job, "id"));
      const model = String(at(job, "model"));
      const price = prices.get(model);
      const charged = at(job, "credits_charged");
      const tokens = at(job, "usage", "completion_tokens");
      if (at(job, "status") !== "settled" || price === undefined || charges.has(id)) continue;
      if (typeof charged === "number" && typeof tokens === "number") {
        charges.set(id, { job: id, model, charged, tokens, ...price, unbounded: unbounded.get(id) ?? null, exchange });
      }
    }
  }
  return [...charges.values()];
}

/** Of each job that a completion tells, whether its request had no `max_tokens`. Of other jobs, such as older ones, nothing is known. */
function unboundedJobs(log: readonly Exchange[], brand: string): ReadonlyMap<string, boolean> {
  return new Map(
    log.flatMap((exchange): [string, boolean][] => {
      const job = exchange.endpoint === "POST /v1/chat/completions" ? completedFrom(exchange, brand)?.jobId : undefined;
      return job === undefined ? [] : [[job, typeof at(exchange.request.json, "max_tokens") !== "number"]];
    }),
  );
}

function judgeShort(charge: Charged): Evidence {
  const requirement = "4.1/41";
  if (charge.charged === charge.flat) return { kind: "passed", requirement, source: sourceOf(charge) };
  return failed(
    requirement,
    charge,
    "a short completion does not cost the flat price of its model",
    `${charge.flat} units`,
  );
}

function judgeLong(charges: readonly Charged[]): readonly Evidence[] {
  const long = charges.filter((charge) => charge.tokens > FLAT_EDGE.maximum);
  const alone = long.map((charge): Evidence => {
    const requirement = "4.1/42";
    if (explainable(charge)) return { kind: "passed", requirement, source: sourceOf(charge) };
    return failed(
      requirement,
      charge,
      "a long completion costs what no reading of the price gives",
      "a price by one of the readings",
    );
  });
  if (long.length === 0) return alone;
  const odd = firstUnexplained(charges);
  const requirement = "4.1/44";
  if (odd === null) return [...alone, { kind: "passed", requirement, source: { case: null, by: "audit:prices" } }];
  const title = "no one reading of the price explains all charges of the run";
  const found = failed(requirement, odd, title, "the reading that explains the charges before it", long);
  // What the charges of several cases show together, one of them alone may not.
  const several = new Set(long.map(({ exchange }) => exchange.case)).size > 1;
  return [...alone, several ? { ...found, source: { case: null, by: "audit:prices" } } : found];
}

const sourceOf = (charge: Charged) => ({ case: charge.exchange.case, by: "audit:prices" });

function failed(
  requirement: "4.1/41" | "4.1/42" | "4.1/44",
  charge: Charged,
  title: string,
  expected: string,
  others: readonly Charged[] = [],
): Evidence {
  const list = others.slice(0, 5).map((each) => `${each.charged} for ${each.tokens} tokens of ${each.model}`);
  const seen = `${charge.charged} units for ${charge.tokens} tokens of ${charge.model} (flat ${charge.flat}, ${charge.perThousand} per 1,000)`;
  const fault = {
    requirement,
    title,
    expected,
    seen: list.length === 0 ? seen : `${seen}; others: ${list.join(", ")}`,
    exchanges: [charge.exchange.number],
  };
  return { kind: "failed", requirement, source: sourceOf(charge), fault };
}
