/** One run of a scenario, reduced to what must be the same in every other. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../sim/core/index.ts";
import { runWorld } from "../../sim/run.ts";
import { buildScenario, loadScenario } from "../../sim/scenario/index.ts";
import { takesTrace } from "../wanted-trace.ts";

/** Plain data: a thread is sent it. */
export interface ProofTask {
  readonly scenario: string;
  readonly seed?: string | undefined;
  readonly trace?: string | undefined;
}

export interface Proof {
  /** Of the trace. */
  readonly hash: string;
  readonly events: number;
  /** First digits of the SHA-256 of all figures. */
  readonly figures: string;
}

export async function runForProof({ scenario, seed, trace }: ProofTask): Promise<Proof> {
  const { hash, traceEvents, figures } = await runWorld(
    buildScenario(takesTrace(loadScenario(scenario), trace), { seed, trace }),
  );
  const digest = createHash("sha256").update(canonicalJson(figures)).digest("hex").slice(0, 16);
  return { hash, events: traceEvents, figures: digest };
}
