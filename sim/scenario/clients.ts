/** From `clients` of a scenario to populations. */
import { MINIMUM_PURCHASE } from "../../fixtures/protocol/limits.ts";
import { colluder, type Population } from "../actors/index.ts";
import { distribution, SECOND, stream } from "../core/index.ts";
import { requests } from "./arrivals.ts";
import { type Context, lastRequest, modelNamed } from "./context.ts";
import { chances } from "./reader.ts";
import type { ScenarioClients } from "./scenario.ts";
import type { Path } from "./source.ts";

/** A population with fresh dice. */
export function population(context: Context, clients: ScenarioClients, path: Path): Population {
  const { reader, seed } = context;
  const { name, wallets = 1, units = 10_000, top_up, webhook, burst, withdraws } = clients;
  if (top_up !== undefined && top_up.units < MINIMUM_PURCHASE) {
    const expected = `${MINIMUM_PURCHASE} units or more`;
    throw reader.wrong([...path, "top_up", "units"], "A purchase is too small.", top_up.units, expected);
  }
  const whose = stream(seed, `clients ${name}`, "wallets");
  return {
    name,
    region: clients.region,
    source: requests(context, clients, path),
    wallets,
    units,
    model: mix(context, clients, path),
    wallet: () => whose.below(wallets),
    maxTokens: maxTokens(context, clients, path),
    topUp: top_up,
    manners: manners(context, clients, path),
    checks: checks(context, clients, path),
    burst,
    withdraws:
      withdraws === undefined
        ? undefined
        : { chance: chances(withdraws), dice: stream(seed, `clients ${name}`, "withdrawals") },
    redeemsAt: reader.time(clients.redeem_at, [...path, "redeem_at"]) ?? -1,
    webhook: webhook && {
      events: webhook.events,
      endpoint: {
        success: chances(webhook.success ?? 1),
        latency: reader.draws(webhook.latency ?? "lognormal(median=80ms, sigma=0.5)", [...path, "webhook", "latency"]),
      },
    },
  };
}

function manners(context: Context, clients: ScenarioClients, path: Path): Population["manners"] {
  const { reader, seed } = context;
  const { name, arrivals, patience, retries, streaming = 1 } = clients;
  const { process, think } = arrivals;
  const loops = process === "closed" && think !== undefined;
  if (patience === undefined && retries === undefined && !loops) return undefined;
  return {
    dice: stream(seed, `clients ${name}`, "manners"),
    streaming: chances(streaming),
    patience: reader.draws(patience, [...path, "patience"]),
    retries: retries && {
      careless: retries.as === "careless",
      limit: retries.limit ?? 3,
      base: reader.time(retries.base, [...path, "retries", "base"]) ?? SECOND,
    },
    loop: loops
      ? {
          think: reader.draws(think, [...path, "arrivals", "think"]),
          until: lastRequest(context, clients.until, path),
        }
      : undefined,
  };
}

function checks(context: Context, { name, checks: written }: ScenarioClients, path: Path): Population["checks"] {
  if (written === undefined) return undefined;
  const { share, after = "5s", cost, accuses, spares } = written;
  const classes = context.scenario.workers.map((workers) => workers.name ?? "");
  const at = [...path, "checks", "spares"];
  const own =
    spares === undefined ? -1 : context.reader.named(spares, classes, at, "There is no such class of workers.");
  return {
    chance: chances(share),
    after: context.reader.draws(after, [...path, "checks", "after"]),
    dice: stream(context.seed, `clients ${name}`, "checks"),
    cost,
    accuses: accuses === true || own >= 0 ? colluder(own) : undefined,
  };
}

function mix(context: Context, { name, models }: ScenarioClients, path: Path): () => number {
  const weights = Object.entries(models ?? Object.fromEntries(context.models.map(({ id }) => [id, 1])));
  const chosen = weights.map(([id]) => modelNamed(context, id, [...path, "models"], true));
  if (chosen.length === 1) return () => chosen[0]!;
  const dice = stream(context.seed, `clients ${name}`, "models");
  const table = distribution({ kind: "empirical", values: chosen, weights: weights.map(([, weight]) => weight) });
  return () => table.draw(dice);
}

function maxTokens({ reader }: Context, { max_tokens = "none" }: ScenarioClients, path: Path): Population["maxTokens"] {
  if (max_tokens === "none") return () => -1;
  if (max_tokens === "exact") return (outputTokens) => outputTokens;
  if (typeof max_tokens === "number" && max_tokens >= 1) return () => max_tokens;
  const expected = '1 or more, "none" or "exact"';
  throw reader.wrong([...path, "max_tokens"], "This is no number of tokens.", max_tokens, expected);
}
