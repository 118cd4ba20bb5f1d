/**
 * The judge's door: `judge` tries a target and returns a report; `plan` tells what would be tried.
 */
import { cases } from "./cases/index.ts";
import type { Monitor } from "./checks/monitor.ts";
import { makeMonitors } from "./checks/monitors/index.ts";
import type { Report } from "./findings/report.ts";
import { type RunEvents, run } from "./harness/run.ts";
import { runWithVitest } from "./harness/vitest-adapter.ts";
import { DEFAULTS, type TargetOptions } from "./target/options.ts";

export {
  type Baseline,
  baselineOf,
  type Held,
  holdAgainst,
  type KnownFailure,
  parseBaseline,
} from "./baseline/baseline.ts";
export { type Comparison, compareReports } from "./baseline/compare.ts";
export type { Case } from "./cases/case.ts";
export { cases } from "./cases/index.ts";
export { ConformError, type ConformErrorFacts } from "./errors.ts";
export type * from "./findings/report.ts";
export { reportSchema } from "./findings/report-schema.ts";
export { bring, needsOf, type Plan, type Planned, select } from "./harness/plan.ts";
export type { RunEvents } from "./harness/run.ts";
export type { Target } from "./harness/target.ts";
export { type InProcessReceiver, inProcessReceiver } from "./receiver/in-process.ts";
export type { Deliver, InProcessDelivery, Reply } from "./receiver/receiver.ts";
export { conformanceSuite, type SuiteOptions, type SuiteTarget, type TestApi } from "./suite.ts";
export { DEFAULTS, type ReceiverOptions, type TargetOptions } from "./target/options.ts";
export { PATIENCE, type Patience, patienceFrom } from "./target/patience.ts";
export { SETTINGS, type Setting, settingsSchema } from "./target/setting-table.ts";
export { readOptions } from "./target/settings.ts";

/** The monitors, which judge every exchange of a run, with the rows that each gives evidence for. */
export function monitors(brand: string = DEFAULTS.brand): readonly Pick<Monitor, "name" | "rows">[] {
  return makeMonitors(brand);
}

/** Settings of a run that are no property of its target. */
export interface JudgeSettings {
  readonly events?: RunEvents | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What a finding's replay line begins with. Default: `assay conform <base address>`. */
  readonly command?: string | undefined;
}

/** Tries a target with every case that is selected. Throws `ConformError` when the input is wrong; else there is a report. */
export function judge(options: TargetOptions, settings: JudgeSettings = {}): Promise<Report> {
  return run(options, {
    cases,
    runner: runWithVitest,
    events: settings.events,
    signal: settings.signal,
    command: settings.command ?? `assay conform ${options.baseUrl}`,
  });
}
