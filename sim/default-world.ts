/**
 * The network that `assay serve` and `assay demo` offer when no scenario says otherwise: the launch models of section 8, each with two native
 * workers, the small ones with a browser worker too.
 */
import { browserWorker, nativeWorker } from "./actors/index.ts";
import { distribution, MILLISECOND } from "./core/index.ts";
import type { ModelInfo } from "./port.ts";
import type { WorldOptions } from "./world.ts";

const model = (id: string, parameters: string, contextWindow: number, tier: ModelInfo["tier"]): ModelInfo => ({
  id,
  parameters,
  contextWindow,
  tier,
  createdAt: 0,
});

/** Section 8: sizes, contexts and tiers are the contract's, the names our own. */
export const launchModels: readonly ModelInfo[] = [
  model("summit-70b", "70B", 131_072, "max"),
  model("summit-70b-reason", "70B", 131_072, "max"),
  model("ridge-27b", "27B", 131_072, "pro"),
  model("ridge-14b", "14B", 32_768, "pro"),
  model("grove-8b", "8B", 32_768, "standard"),
  model("grove-7b", "7B", 32_768, "standard"),
  model("brook-3b", "3B", 131_072, "lite"),
  model("brook-1.7b", "1.7B", 32_768, "lite"),
];

const quick = {
  firstToken: distribution({ kind: "lognormal", median: 120 * MILLISECOND, sigma: 0.3 }),
  promptTokenTime: 20,
  tokenTime: distribution({ kind: "lognormal", median: 4 * MILLISECOND, sigma: 0.2 }),
};

/** Options of that world; retains everything, since a server may be asked for any job. */
export function defaultWorld(seed: string | number, changes: Partial<WorldOptions> = {}): WorldOptions {
  const native = launchModels.map((_, index) => ({
    class: nativeWorker([index], { ...quick, slots: 256, stake: 10_000 }),
    count: 2,
  }));
  const browsers = launchModels.flatMap(({ tier }, index) =>
    tier === "lite" || tier === "standard"
      ? // A bond of its own will, so that a slash has something to take.
        [{ class: browserWorker([index], { ...quick, slots: 64, stake: 500 }), count: 1 }]
      : [],
  );
  return {
    seed,
    models: launchModels,
    workers: [...native, ...browsers],
    chain: { blockTime: 250 * MILLISECOND, confirmations: 0 },
    retain: true,
    ...changes,
  };
}
