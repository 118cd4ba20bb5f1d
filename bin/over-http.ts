/**
 * The simulated service judged as a stranger's would be: over sockets, with webhooks over TLS and the test controls on a port of their own, under
 * the manual clock. What only a wire shows (framing, connections, headers as bytes, the real order of what comes) is judged here too.
 */
import { DEFAULTS, type JudgeSettings, judge, PATIENCE, type Report } from "../conformance/index.ts";
import type { ServiceOptions } from "../sim/facade/index.ts";
import { serve } from "../sim/server/index.ts";

export interface OverHttpOptions {
  /** Of the judge's draws, and of the world and every name in it. */
  readonly seed: number;
  readonly only?: readonly string[] | undefined;
  readonly runs?: number | undefined;
  /** What the service is besides honest. */
  readonly overrides?: ServiceOptions["overrides"];
}

/** Serves a simulated service on free ports, judges it, and stops it. */
export async function judgeOverHttp(options: OverHttpOptions, settings: JudgeSettings = {}): Promise<Report> {
  const { seed, only = [], runs = DEFAULTS.runs, overrides = [] } = options;
  const serving = await serve({
    port: 0,
    controlPort: 0,
    mode: "manual",
    seed,
    overrides,
    // The receiver makes its certificate for the run.
    webhooks: { insecure: true },
  });
  try {
    return await judge(
      {
        baseUrl: serving.base,
        keys: [],
        brand: DEFAULTS.brand,
        ...(serving.control === undefined ? {} : { control: { url: serving.control } }),
        receiver: {},
        maxCredits: DEFAULTS.maxCredits,
        timeout: DEFAULTS.timeout,
        patience: PATIENCE.none,
        seed,
        runs,
        only,
      },
      settings,
    );
  } finally {
    await serving.stop();
  }
}
