/** A table of figures, for the terminal and for a page. */
export interface Table {
  readonly title: string;
  /** The first column names the row. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note?: string | undefined;
}

export function consoleTable({ title, head, rows, note }: Table): string {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]! + 3))).join("");
  return [title, "", ...[head, ...rows].map((row) => `  ${line(row)}`), ...(note === undefined ? [] : [note])].join(
    "\n",
  );
}

export function markdownTable({ title, head, rows, note }: Table): string {
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  const rule = `|${head.map((_, at) => (at === 0 ? "---|" : "---:|")).join("")}`;
  return [`${title}:`, "", line(head), rule, ...rows.map(line), ...(note === undefined ? [] : ["", note])].join("\n");
}

/** 1234567.8 as "1,234,568". */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}
