/** Columns of plain text that fit the terminal. */
import { stripVTControlCharacters } from "node:util";

/** Columns of the terminal; no limit where there is none, so that whoever reads a pipe has a row a line. */
export function terminalWidth(
  stream: { readonly isTTY?: boolean; readonly columns?: number } = process.stdout,
): number {
  return stream.isTTY === true && stream.columns !== undefined ? stream.columns : Number.POSITIVE_INFINITY;
}

/** Below that many columns the last cell of a row is not wrapped any more: a word a line reads worse than a broken line. */
const NARROWEST = 20;

/** Columns as wide as their widest cell, colours not counted; the last one is ragged, and wrapped where it would pass `width`. */
export function tableOf(rows: readonly (readonly string[])[], width = terminalWidth()): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => lengthOf(row[column] ?? ""))),
  );
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const room = width - before;
  return rows
    .flatMap((row) => {
      const cells = row.map((cell, column) => `${cell}${" ".repeat((widths[column] ?? 0) - lengthOf(cell))}`);
      const last = row.length === columns ? row[columns - 1] : undefined;
      if (last === undefined || room < NARROWEST || lengthOf(last) <= room) return [cells.join("  ").trimEnd()];
      const [first = "", ...more] = wrapped(last, room);
      const head = [...cells.slice(0, -1), first].join("  ");
      return [head, ...more.map((line) => `${" ".repeat(before)}${line}`)].map((line) => line.trimEnd());
    })
    .join("\n");
}

/** Characters that are seen. */
export function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** Text of at most `width` characters; what is cut off is marked, and its colours go with it. */
export function cut(text: string, width: number): string {
  return lengthOf(text) <= width ? text : `${stripVTControlCharacters(text).slice(0, Math.max(0, width - 1))}…`;
}

/** A line that begins with a label, broken between words where it would pass the width; what goes on stands beneath the text. */
export function labelled(line: string, indent: number, width = terminalWidth()): string {
  if (lengthOf(line) <= width || width - indent < NARROWEST) return line;
  const [first = "", ...more] = wrapped(line.slice(indent), width - indent);
  return [`${line.slice(0, indent)}${first}`, ...more.map((each) => `${" ".repeat(indent)}${each}`)].join("\n");
}

/** Lines of at most `width` characters, broken between words; a longer word has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && lengthOf(last) + 1 + lengthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
