/** Reports side by side as text: a matrix of implementations by requirement. */
import type { Comparison } from "../conformance/index.ts";
import { tableOf } from "./plain-table.ts";

/** The matrix. `all` shows every requirement, else only those that differ. Of two reports it ends with what became worse. */
export function comparisonText(comparison: Comparison, all = false): string {
  const shown = all ? comparison.rows : comparison.differing;
  const rows = shown.map((row) => [row.id, ...row.statuses.map((status) => status ?? "-"), row.text]);
  const lines = [
    shown.length === 0 ? "No requirement differs." : tableOf([["requirement", ...comparison.names, "text"], ...rows]),
    `${comparison.rows.length} requirements, ${comparison.differing.length} differ.`,
  ];
  if (comparison.names.length === 2) {
    const [from, to] = comparison.names;
    lines.push(
      `From ${from} to ${to}: ${comparison.regressions.length} became worse, ${comparison.repairs.length} mended.`,
    );
  }
  return `${lines.join("\n\n")}\n`;
}
