/**
 * The bare frame of a drawn world: a few workers and clients, and a healthy core beside them.
 *
 * A run has two phases. In the first, the safety phase, everything that was drawn goes wrong, and no invariant may break. Then faults stop and the
 * drawn clients are silent; from `calm_at` on every request must be served to its end. The core, a worker without faults and a client with money and a
 * model of their own, asks and serves then whatever has become of the rest.
 */
import { TIERS } from "../../fixtures/protocol/prices.ts";
import { type DistributionSpec, microseconds, SECOND, type Stream } from "../core/index.ts";
import type { Draft, DraftClients, DraftWorkers } from "./draft.ts";

/** Seconds of the safety phase. */
export const SAFETY_PHASE = 900;
/** Seconds between the calm and the first request of the core: every earlier job has ended by then. */
const SETTLING = 180;
/** Seconds between the last new request of the drawn clients and the calm: those who send a request again have given up by then. */
const PERSISTENCE = 1_200;
const CORE = "core";

const FIRST_TOKEN: readonly DistributionSpec[] = ["1ms", "300ms", "exponential(mean=2s)"];
const TOKEN_TIME: readonly DistributionSpec[] = [0, "1ms", "30ms", "lognormal(median=100ms, sigma=0.5)"];
const OUTPUT: readonly DistributionSpec[] = ["lognormal(median=150, sigma=1)", "uniform(min=1, max=30)", 1];

export function drawFrame(seed: string, dice: Stream): Draft {
  const models = Array.from({ length: 1 + dice.below(2) }, (_, index) => ({
    id: `model-${index}`,
    tier: dice.pick(TIERS),
  }));
  const ids = models.map(({ id }) => id);
  return {
    seed,
    models: [{ id: CORE, tier: "lite" }, ...models],
    workers: [
      { kind: "native", count: 1, models: [CORE], slots: 4, first_token: "100ms", token_time: "10ms" },
      ...Array.from({ length: 1 + dice.below(3) }, () => drawWorkers(ids, dice)),
    ],
    clients: [
      {
        name: CORE,
        units: 1_000,
        models: { [CORE]: 1 },
        arrivals: { process: "deterministic", every: "1s" },
        requests: 2,
        prompt_tokens: 20,
        output_tokens: 50,
      },
      ...Array.from({ length: 1 + dice.below(2) }, (_, index) => drawClients(`clients-${index}`, ids, dice)),
    ],
  };
}

/** Lets faults stop when the last client is silent, and the core ask after that. */
export function beginCalm(draft: Draft): void {
  const [core, ...others] = draft.clients;
  const calm = Math.max(...others.map(({ until }) => microseconds(until!, "until"))) + PERSISTENCE * SECOND;
  draft.calm_at = `${calm / SECOND}s`;
  core!.arrivals = { process: "deterministic", every: `${calm / SECOND + SETTLING}s` };
}

function drawWorkers(ids: readonly string[], dice: Stream): DraftWorkers {
  return {
    kind: dice.pick(["native", "browser"]),
    count: 1 + dice.below(2),
    models: dice.below(2) === 0 ? [...ids] : [dice.pick(ids)],
    slots: 1 + dice.below(2),
    first_token: dice.pick(FIRST_TOKEN),
    token_time: dice.pick(TOKEN_TIME),
  };
}

function drawClients(name: string, ids: readonly string[], dice: Stream): DraftClients {
  return {
    name,
    wallets: 1 + dice.below(3),
    units: dice.pick([300, 1_000, 10_000]),
    models: Object.fromEntries(ids.map((id) => [id, 1])),
    arrivals: { process: "poisson", rate: dice.pick([0.02, 0.1, 1]) },
    requests: 1 + dice.below(20),
    until: `${SAFETY_PHASE}s`,
    prompt_tokens: 100,
    output_tokens: dice.pick(OUTPUT),
  };
}
