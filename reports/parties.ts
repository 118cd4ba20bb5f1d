/** Profit and loss of the parties of a run, as a table for people at a terminal. */
import { byOperator, type CheatFigures, type PartyFigures } from "../sim/metrics/index.ts";
import { lengthOf, tableOf, terminalWidth } from "./plain-table.ts";

const HEAD = ["party", "members", "jobs", "revenue", "costs", "slashed", "refunds", "net", "tokens"];

/**
 * Lines without the last newline. Money is in units, without its hundredths where the terminal has no room for them; stake in tokens; `total` stands
 * there where a token has a price.
 */
export function partyTable(parties: readonly PartyFigures[], width = terminalWidth()): string {
  const exact = tableWith(parties, hundredths);
  const fits = exact.split("\n").every((line) => lengthOf(line) <= width);
  return fits ? exact : tableWith(parties, (amount) => whole(Math.round(amount / 100)));
}

function tableWith(parties: readonly PartyFigures[], money: (hundredths: number) => string): string {
  const priced = parties.some(({ total, net }) => total !== net);
  const row = (name: string, party: PartyFigures): string[] => [
    name,
    party.members === 0 ? "" : whole(party.members),
    whole(party.jobs),
    money(party.revenue),
    money(party.costs),
    whole(party.slashed),
    money(party.refunds),
    money(party.net),
    whole(party.netTokens),
    ...(priced ? [money(party.total)] : []),
  ];
  const rows = [
    [...HEAD, ...(priced ? ["total"] : [])],
    ...parties.map((party) => row(party.name, party)),
    ...byOperator(parties).map((party) => row(`${party.operator} (${party.name})`, party)),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  return tableOf(rows.map((cells) => cells.map((cell, at) => (at === 0 ? cell : cell.padStart(widths[at]!)))));
}

/** What became of cheats, undefined where there were neither cheats nor audits. */
export function cheatLine({ committed, paid, refused, convicted, wronged, audits }: CheatFigures): string | undefined {
  const all = Object.values(committed).reduce((sum, count) => sum + count, 0);
  if (all === 0 && audits === 0 && wronged === 0) return undefined;
  return (
    `cheats      ${whole(all)} jobs: ${whole(paid)} paid, ${whole(refused)} refused by ${whole(audits)} audits, ` +
    `${whole(convicted)} convicted on disputes; honest jobs found fraudulent: ${whole(wronged)}`
  );
}

/** `172,921`, `-5,000` */
function whole(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Hundredths of a unit as units: `-1,195.50`. */
function hundredths(amount: number): string {
  const size = Math.abs(amount);
  const cents = size % 100;
  return `${amount < 0 ? "-" : ""}${whole((size - cents) / 100)}.${String(cents).padStart(2, "0")}`;
}
