/** Scenario files: form, places, and the worlds that they describe. */
export { type ArrivalTrace, loadArrivalTrace, parseArrivalTrace } from "./arrival-trace.ts";
export { type BuildOptions, buildScenario } from "./build.ts";
export { type LoadedScenario, loadScenario, parseScenario } from "./load.ts";
export type { Scenario, ScenarioClients, ScenarioModel, ScenarioWorkers } from "./scenario.ts";
export { scenarioSchema } from "./schema.ts";
export { Source } from "./source.ts";
export { scenarioText } from "./write.ts";
