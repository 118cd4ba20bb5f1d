/** A world while it is drawn or shrunk: a scenario whose parts may still change. */
import type { Scenario, ScenarioClients, ScenarioModel, ScenarioWorkers } from "../scenario/index.ts";

type Open<T> = { -readonly [K in keyof T]: T[K] };

export type DraftWorkers = Open<ScenarioWorkers>;
export type DraftClients = Open<ScenarioClients>;

export interface Draft extends Open<Omit<Scenario, "models" | "workers" | "clients">> {
  models: ScenarioModel[];
  workers: DraftWorkers[];
  clients: DraftClients[];
}

/** A copy that shares nothing with the original. */
export function draftOf(scenario: Scenario): Draft {
  return structuredClone(scenario) as Draft;
}
