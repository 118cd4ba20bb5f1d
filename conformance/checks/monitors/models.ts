/** Models (section 2.2), in the list and alone: what a listed one must be, and what must not change. */
import { PRICES, TIER_SIZES, TIERS, type Tier } from "../../../fixtures/protocol/index.ts";
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { type Judgement, judge, type Monitor, type MonitorContext } from "../monitor.ts";

interface Known {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly listed: boolean;
  readonly exchange: Exchange;
}

const YEAR_2000 = 946_684_800;

/** Parameters of a size such as `1.7B` or `350M`; null where it is written otherwise. */
export function sizeOf(text: unknown): number | null {
  const match = typeof text === "string" ? /^\s*(\d+(?:\.\d+)?)\s*([BMT])\b/i.exec(text) : null;
  if (match === null) return null;
  const unit = { M: 1e6, B: 1e9, T: 1e12 }[(match[2] as string).toUpperCase() as "M" | "B" | "T"];
  return Number(match[1]) * unit;
}

export function modelsMonitor(): Monitor {
  const known = new Map<string, Known>();
  return {
    name: "models",
    rows: ["2.2/5", "2.2/9", "2.2/10", "2.2/11", "4.3/2", "8/5", "8/8", "8/9"],
    *see(exchange, context) {
      if (!succeeded(exchange)) return;
      if (exchange.endpoint === "GET /v1/models") {
        const data = at(exchange.json, "data");
        const models: readonly unknown[] = Array.isArray(data) ? data : [];
        const ids = models.map((model) => at(model, "id"));
        yield judge("2.2/9", new Set(ids).size === ids.length, { expected: "ids that differ", seen: ids });
        for (const model of models) {
          yield* judgeModel(model, context);
          yield* priced(model, ownPrices(models, context.brand), context.brand);
          yield* listed(model, context.brand);
          yield* same(known, model, true, exchange, context.brand);
        }
      } else if (exchange.endpoint === "GET /v1/models/{model_id}") {
        yield* judgeModel(exchange.json, context);
        yield* same(known, exchange.json, false, exchange, context.brand);
      }
    },
  };
}

function* listed(model: unknown, brand: string): Iterable<Judgement> {
  const workers = at(model, brand, "active_workers");
  if (typeof workers === "number") {
    yield judge("2.2/5", workers >= 1, { expected: "1 or more active workers", seen: workers });
  }
}

const pricesOf = (model: unknown, brand: string): readonly [flat: boolean, perThousand: boolean] | null => {
  const tier = at(model, brand, "tier");
  if (!(TIERS as readonly unknown[]).includes(tier)) return null;
  const { perRequest, perThousand } = PRICES[tier as Tier];
  const told = (name: string): unknown => at(model, brand, name);
  return [told("credits_per_request") === perRequest, told("credits_per_1k_tokens") === perThousand];
};

/** "The live list governs": whether it has prices of its own throughout. One that bears some of the contract's has a mistake in the others. */
function ownPrices(models: readonly unknown[], brand: string): boolean {
  return !models.some((model) => pricesOf(model, brand)?.some((same) => same) === true);
}

function* priced(model: unknown, own: boolean, brand: string): Iterable<Judgement> {
  const same = pricesOf(model, brand);
  if (same === null || own) return;
  const tier = at(model, brand, "tier") as Tier;
  yield judge("8/5", same[0] && same[1], {
    title: `the prices of a ${tier} model are not those of its tier`,
    expected: `${PRICES[tier].perRequest} a request, ${PRICES[tier].perThousand} per 1,000 tokens`,
    seen: [at(model, brand, "credits_per_request"), at(model, brand, "credits_per_1k_tokens")],
  });
}

/** Milliseconds after which a job has timed out: no first token comes later (3.1). */
const LONGEST_WAIT = 120_000;

function* judgeModel(model: unknown, { brand, now }: MonitorContext): Iterable<Judgement> {
  const extension = (name: string): unknown => at(model, brand, name);
  const tier = extension("tier");
  const size = sizeOf(extension("parameters"));
  if ((TIERS as readonly unknown[]).includes(tier)) {
    const byRange = TIERS.find((each) => size !== null && size >= TIER_SIZES[each].from && size <= TIER_SIZES[each].to);
    if (byRange !== undefined) yield judge("8/9", byRange === tier, { expected: byRange, seen: tier });
  }
  yield { kind: "observed", requirement: "8/8", choice: `${String(extension("parameters"))} ${String(tier)}` };
  const created = at(model, "created");
  const latency = extension("median_latency_ms");
  const window = extension("context_window");
  // A service's clock may be set to any year, and its models be those of today.
  const latest = Math.max(now(), Date.now()) / 1000 + 86_400;
  const sane =
    (typeof created !== "number" || (created >= YEAR_2000 && created <= latest)) &&
    (typeof latency !== "number" || (latency >= 0 && latency <= LONGEST_WAIT)) &&
    (typeof window !== "number" || window > 0);
  yield judge("2.2/10", sane, {
    expected: "`created` between 2000 and now, a latency of 0 or more that no time limit cuts off, a window above 0",
    seen: { created, median_latency_ms: latency, context_window: window },
  });
}

/** What is no live data is the same in every answer. */
function* same(
  known: Map<string, Known>,
  model: unknown,
  isListed: boolean,
  exchange: Exchange,
  brand: string,
): Iterable<Judgement> {
  const id = at(model, "id");
  if (typeof id !== "string") return;
  const extension = (name: string): unknown => at(model, brand, name);
  const facts = {
    object: at(model, "object"),
    created: at(model, "created"),
    owned_by: at(model, "owned_by"),
    tier: extension("tier"),
    credits_per_request: extension("credits_per_request"),
    credits_per_1k_tokens: extension("credits_per_1k_tokens"),
    parameters: extension("parameters"),
    context_window: extension("context_window"),
  };
  const before = known.get(id);
  if (before === undefined) {
    known.set(id, { facts, listed: isListed, exchange });
    return;
  }
  const changed = Object.entries(facts).filter(([name, value]) => before.facts[name] !== value);
  yield judge(before.listed === isListed ? "2.2/11" : "4.3/2", changed.length === 0, {
    title: before.listed === isListed ? "a model's own data changed" : "a model reads otherwise alone than in the list",
    expected: JSON.stringify(Object.fromEntries(changed.map(([name]) => [name, before.facts[name]]))),
    seen: Object.fromEntries(changed),
    with: [before.exchange],
  });
}
