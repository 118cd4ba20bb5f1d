/** `assay requirements`: the ledger. For each requirement: what it needs, the cases and monitors that try it, the planted defects that break it. */
import { type Case, cases, monitors } from "../../conformance/index.ts";
import { isRequirementId, type Requirement, type RequirementId, requirements } from "../../fixtures/protocol/index.ts";
import { labelled } from "../../reports/plain-table.ts";
import { AssayError } from "../../sim/core/index.ts";
import { defects } from "../../sim/defects/index.ts";
import type { Command } from "../command.ts";

interface Options {
  readonly json: boolean;
  readonly section: string | undefined;
  readonly untried: boolean;
}

/** One line of the ledger. */
export interface LedgerRow {
  readonly id: RequirementId;
  readonly section: string;
  readonly kind: Requirement["kind"];
  readonly text: string;
  readonly needs: readonly string[];
  readonly cases: readonly string[];
  /** What judges it in every exchange of a run, whatever the case. */
  readonly monitors: readonly string[];
  readonly defects: readonly string[];
  /** Why no case can try it. */
  readonly untestable?: string;
}

/** The whole ledger, in the contract's order. */
export function ledger(of: readonly Case[] = cases): readonly LedgerRow[] {
  const watching = monitors();
  return requirements.map((row) => ({
    id: row.id,
    section: row.section,
    kind: row.kind,
    text: row.text,
    needs: row.needs,
    cases: of.filter((each) => each.requirements.includes(row.id)).map((each) => each.id),
    monitors: watching.filter((each) => each.rows.includes(row.id)).map((each) => each.name),
    defects: defects.filter((each) => each.requirement === row.id).map((each) => each.id),
    ...(row.untestable === undefined ? {} : { untestable: row.untestable }),
  }));
}

export const requirementsCommand: Command<Options> = {
  command: "requirements",
  describe: "List the requirements: kind, needs, the cases and monitors that try each, the defects that break it",
  builder: (yargs) =>
    yargs
      .option("section", { type: "string", requiresArg: true, describe: "only this section, or this requirement" })
      .option("untried", { type: "boolean", default: false, describe: "only those that no case tries" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .example("$0 requirements --section 4.7", "what is demanded of disputes, and what tries it")
      .example("$0 requirements --untried", "what no case tries"),
  handler({ json, section, untried }) {
    const rows = ledger().filter(
      (row) =>
        (section === undefined ||
          row.id === section ||
          row.section === section ||
          row.section.startsWith(`${section}.`)) &&
        (!untried || !isTried(row)),
    );
    if (rows.length === 0 && section !== undefined && !isRequirementId(section) && !untried) {
      throw new AssayError({
        what: "The contract has no such section.",
        where: "--section",
        seen: section,
        expected: "a section such as 4.7, or a requirement such as 4.7/2",
      });
    }
    process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : ledgerText(rows));
  },
};

const isTried = (row: LedgerRow): boolean =>
  row.cases.length > 0 || row.monitors.length > 0 || row.untestable !== undefined;

function ledgerText(rows: readonly LedgerRow[]): string {
  const lines = rows.flatMap((row) => [
    labelled(`${row.id.padEnd(8)} ${row.kind.padEnd(8)} ${row.text}`, 18),
    ...(row.untestable === undefined ? [] : [labelled(`         cannot be tried: ${row.untestable}`, 18)]),
    ...(row.cases.length === 0 ? [] : [labelled(`         cases    ${row.cases.join(", ")}`, 18)]),
    ...(row.monitors.length === 0 ? [] : [labelled(`         monitors ${row.monitors.join(", ")}`, 18)]),
    ...(row.defects.length === 0 ? [] : [labelled(`         defects  ${row.defects.join(", ")}`, 18)]),
    ...(row.needs.length === 0 ? [] : [labelled(`         needs    ${row.needs.join(", ")}`, 18)]),
  ]);
  const tried = rows.filter((row) => row.cases.length > 0 || row.monitors.length > 0).length;
  const untestable = rows.filter((row) => row.untestable !== undefined).length;
  const caught = rows.filter((row) => row.defects.length > 0).length;
  lines.push(
    `${rows.length} ${rows.length === 1 ? "requirement" : "requirements"}: ${tried} tried by a case or a monitor, ${untestable} that nothing over HTTP can show, ${caught} with a planted defect`,
  );
  return `${lines.join("\n")}\n`;
}
