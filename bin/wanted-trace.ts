/** `--trace` for a scenario that takes none is a mistake: the figures would be those of other arrivals than meant. */
import { AssayError } from "../sim/core/index.ts";
import type { LoadedScenario } from "../sim/scenario/index.ts";

/** The scenario, where the trace has a place in it. Throws AssayError where it has not. */
export function takesTrace(loaded: LoadedScenario, trace: string | undefined): LoadedScenario {
  const { scenario, source } = loaded;
  if (trace === undefined || scenario.clients.some(({ arrivals }) => arrivals.process === "trace")) return loaded;
  throw new AssayError({
    what: "No clients of this scenario come as a trace tells.",
    where: source.where(["clients"]),
    seen: `--trace ${trace}`,
    expected: "some clients with arrivals: { process: trace }",
    hint: "leave --trace out, or change the scenario",
  });
}
