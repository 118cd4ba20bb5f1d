/** `assay score`: the judge judged. Every planted defect must be found, every honest variant must pass. */
import { availableParallelism } from "node:os";
import { scoreText } from "../../reports/score-text.ts";
import { AssayError } from "../../sim/core/index.ts";
import { defects } from "../../sim/defects/index.ts";
import { variants } from "../../sim/variants/index.ts";
import type { Command } from "../command.ts";
import { score } from "../score/score.ts";
import type { Trial } from "../score/trial.ts";

interface Options {
  readonly seeds: readonly number[];
  readonly only: readonly string[];
  readonly threads: number;
  readonly runs: number | undefined;
  readonly whole: boolean;
  readonly bail: boolean;
  readonly replay: boolean;
  readonly matrix: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

export const scoreCommand: Command<Options> = {
  command: "score",
  describe: "Try the judge on every planted defect and every honest variant, and print the kill matrix",
  builder: (yargs) =>
    yargs
      .option("seeds", { type: "number", array: true, default: [1], describe: "one trial a seed" })
      .option("only", {
        type: "string",
        array: true,
        default: [],
        describe: "ids of defects or variants, sections, or the words defects and variants",
      })
      .option("threads", { type: "number", default: availableParallelism(), describe: "worker threads" })
      .option("runs", { type: "number", describe: "runs of a property" })
      .option("whole", { type: "boolean", default: false, describe: "the whole suite for each defect, from the start" })
      .option("bail", { type: "boolean", default: false, describe: "one case that finds a defect is enough" })
      .option("replay", {
        type: "boolean",
        default: false,
        describe: "paste the replay line of every finding: it must show the same fault again",
      })
      .option("matrix", { type: "boolean", default: true, describe: "print defect by case" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "no progress" })
      .example("$0 score --seeds 1 2 3", "all of them, three times")
      .example("$0 score --only 4.7", "defects that break section 4.7"),
  async handler(options) {
    const trials = trialsOf(options);
    const stop = new AbortController();
    const interrupt = (): void => stop.abort();
    process.once("SIGINT", interrupt);
    const results = await score(
      trials,
      options.threads,
      (result, ended) => {
        if (options.quiet || (result.ok && ended % 10 !== 0 && ended !== trials.length)) return;
        const outcome = result.ok
          ? ""
          : `  ${result.id} seed ${result.seed}: ${result.kind === "defect" ? "survived" : "accused"}`;
        process.stderr.write(`${ended}/${trials.length}${outcome}\n`);
      },
      stop.signal,
    );
    process.removeListener("SIGINT", interrupt);
    process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : scoreText(results, options.matrix));
    const interrupted = results.length < trials.length;
    process.exitCode = interrupted ? 3 : results.every((result) => result.ok) ? 0 : 1;
  },
};

function trialsOf(options: Options): Trial[] {
  const wanted = (kind: string, id: string, requirement = ""): boolean =>
    options.only.length === 0 ||
    options.only.some(
      (each) =>
        each === id ||
        each === `${kind}s` ||
        requirement === each ||
        requirement.startsWith(`${each}/`) ||
        requirement.startsWith(`${each}.`),
    );
  const rows = [
    ...defects
      .filter(({ id, requirement }) => wanted("defect", id, requirement))
      .map(({ id }) => ({ kind: "defect" as const, id })),
    ...variants.filter(({ id }) => wanted("variant", id)).map(({ id }) => ({ kind: "variant" as const, id })),
  ];
  if (rows.length === 0) {
    throw new AssayError({
      what: "Nothing is selected.",
      where: "--only",
      seen: options.only.join(" "),
      expected: "ids of defects or variants, sections, defects, variants",
      hint: "assay defects, or assay defects --variants, lists them",
    });
  }
  const { runs, whole, bail, replay } = options;
  return rows.flatMap((row) => options.seeds.map((seed) => ({ ...row, seed, runs, whole, bail, replay })));
}
