/** Renderers of the judge's report. */
export { type ConsoleOptions, findingText, renderReport } from "./console.ts";
export { reportJson } from "./json.ts";
export { caseText, type Progress, planText, progress } from "./progress.ts";
export { sectionTitle } from "./sections.ts";
