/** Several reports side by side: where implementations, or two runs of one, end a requirement differently. */
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { RowStatus } from "../findings/evidence.ts";
import { compareIds } from "../findings/finding.ts";
import type { Report } from "../findings/report.ts";

export interface ComparedRow {
  readonly id: RequirementId;
  readonly text: string;
  /** One for each report, in their order; null where a report has no such row. */
  readonly statuses: readonly (RowStatus | null)[];
}

export interface Comparison {
  readonly names: readonly string[];
  /** Every requirement of any report, in the contract's order. */
  readonly rows: readonly ComparedRow[];
  /** Those whose statuses are not all equal. */
  readonly differing: readonly ComparedRow[];
  /** Of two reports: passed or observed in the first and failed in the second. Empty for any other number of reports. */
  readonly regressions: readonly ComparedRow[];
  /** Of two reports: failed in the first and passed or observed in the second. */
  readonly repairs: readonly ComparedRow[];
}

const good = (status: RowStatus | null | undefined): boolean => status === "passed" || status === "observed";

/** Compares two reports or more. `names` says what each is called, in the same order. */
export function compareReports(reports: readonly Report[], names: readonly string[]): Comparison {
  const texts = new Map<RequirementId, string>();
  for (const report of reports) for (const row of report.requirements) texts.set(row.id, row.text);
  const rows = [...texts]
    .sort(([a], [b]) => compareIds(a, b))
    .map(([id, text]) => ({
      id,
      text,
      statuses: reports.map((report) => report.requirements.find((row) => row.id === id)?.status ?? null),
    }));
  const pair = reports.length === 2 ? rows : [];
  return {
    names,
    rows,
    differing: rows.filter((row) => new Set(row.statuses).size > 1),
    regressions: pair.filter(({ statuses }) => good(statuses[0]) && statuses[1] === "failed"),
    repairs: pair.filter(({ statuses }) => statuses[0] === "failed" && good(statuses[1])),
  };
}
