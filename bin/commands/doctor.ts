/** `assay doctor`: what this machine has of what assay can use, and what each is for. */
import { doctorText } from "../../reports/doctor-text.ts";
import { palette, wantsColour } from "../../reports/palette.ts";
import type { Command } from "../command.ts";
import { examine } from "../doctor.ts";

interface Options {
  readonly json: boolean;
}

export const doctorCommand: Command<Options> = {
  command: "doctor",
  describe: "Tell what this machine has, and what is missing for what",
  builder: (yargs) =>
    yargs
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .example("$0 doctor", "exit code 1 where something is missing that every command needs"),
  async handler({ json }) {
    const found = await examine();
    process.stdout.write(
      json
        ? `${JSON.stringify(found, null, 2)}\n`
        : doctorText(found, palette(wantsColour(process.stdout, process.env))),
    );
    if (found.some((each) => each.needed && each.state === "missing")) process.exitCode = 1;
  },
};
