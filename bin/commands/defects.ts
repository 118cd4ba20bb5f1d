/** `assay defects`: lists the planted defects, or the honest variants. */
import { tableOf } from "../../reports/plain-table.ts";
import { defects } from "../../sim/defects/index.ts";
import { variants } from "../../sim/variants/index.ts";
import type { Command } from "../command.ts";

interface Options {
  readonly json: boolean;
  readonly variants: boolean;
  readonly section: string | undefined;
}

export const defectsCommand: Command<Options> = {
  command: "defects",
  describe: "List the planted defects with the requirement that each breaks",
  builder: (yargs) =>
    yargs
      .option("section", {
        type: "string",
        describe: "only those that break a requirement of this section, such as 4.7",
      })
      .option("variants", { type: "boolean", default: false, describe: "list the honest variants instead" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .example("$0 defects --section 6", "defects in webhooks and events")
      .example("$0 serve --defect refund-missing", "a service that has one of them"),
  handler(options) {
    const rows = options.variants
      ? variants.map(({ id, title }) => ({ id, title }))
      : defects
          .filter(({ requirement }) => inSection(requirement, options.section))
          .map(({ id, requirement, reach, title }) => ({ id, requirement, reach, title }));
    process.stdout.write(options.json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
  },
};

function inSection(requirement: string, section: string | undefined): boolean {
  return section === undefined || requirement.startsWith(`${section}/`) || requirement.startsWith(`${section}.`);
}

function table(rows: readonly Readonly<Record<string, string>>[]): string {
  return `${tableOf(rows.map((row) => Object.values(row)))}\n${rows.length} in all\n`;
}
