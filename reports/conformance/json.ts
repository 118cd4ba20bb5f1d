/** The report as JSON: the object as it is, in its fixed order, with a newline at its end. */
import type { Report } from "../../conformance/index.ts";

export function reportJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
