/** Puts a measured table in its place on docs/bench.md: between `<!-- name -->` and the next `<!-- end -->`. */
import { markdownTable, type Table } from "./table.ts";

/** @throws Error where the page has no place of that name */
export function withTable(page: string, name: string, table: Table, machine: string): string {
  const begin = `<!-- ${name} -->\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf("<!-- end -->", from);
  if (from === -1 || to === -1) throw new Error(`docs/bench.md has no place for ${name}`);
  const body = `${markdownTable(table)}\n\nMeasured on ${machine}.\n`;
  return page.slice(0, from) + begin + body + page.slice(to);
}
