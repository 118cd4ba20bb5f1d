/** `assay score`: the judge judged. Every planted defect must be found, every honest variant must pass. */
import { availableParallelism } from "node:os";
import { type PlantedDefect, peersText } from "../../reports/peers-text.ts";
import { scoreText } from "../../reports/score-text.ts";
import { AssayError } from "../../sim/core/index.ts";
import { defects } from "../../sim/defects/index.ts";
import { variants } from "../../sim/variants/index.ts";
import type { Command } from "../command.ts";
import { mustHaveDefects, tryPeers } from "../score/peers/index.ts";
import { score } from "../score/score.ts";
import type { Trial, TrialResult } from "../score/trial.ts";
import { version } from "../version.ts";

interface Options {
  readonly seeds: readonly number[];
  readonly only: readonly string[];
  readonly threads: number;
  readonly runs: number | undefined;
  readonly whole: boolean;
  readonly bail: boolean;
  readonly replay: boolean;
  readonly http: boolean;
  readonly matrix: boolean;
  readonly peers: boolean;
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
      .option("http", { type: "boolean", default: false, describe: "over sockets instead of in process: slower" })
      .option("matrix", { type: "boolean", default: true, describe: "print defect by case" })
      .option("peers", {
        type: "boolean",
        default: false,
        describe: "try what other tools find on the same defects, too: those that are installed",
      })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "no progress" })
      .example("$0 score --seeds 1 2 3", "all of them, three times")
      .example("$0 score --only variants --http", "every honest variant, judged over HTTP")
      .example("$0 score --only 4.7", "defects that break section 4.7"),
  async handler(options) {
    if (options.http && options.replay) {
      throw new AssayError({
        what: "These two do not go together: a replay line names a service in process.",
        where: "--http --replay",
        expected: "one of them",
      });
    }
    const trials = trialsOf(options);
    if (options.peers) mustHaveDefects(trials.filter(({ kind }) => kind === "defect").map(({ id }) => id));
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
    const planted = results.filter(({ kind }) => kind === "defect");
    const peers = options.peers
      ? await tryPeers([...new Set(planted.map(({ id }) => id))], {
          seed: options.seeds[0] ?? 1,
          signal: stop.signal,
          told: (line) => void (options.quiet || process.stderr.write(line)),
        })
      : undefined;
    process.removeListener("SIGINT", interrupt);
    if (options.json) {
      const told = peers === undefined ? results : { trials: results, peers };
      process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
    } else {
      process.stdout.write(scoreText(results, options.matrix));
      if (peers !== undefined) process.stdout.write(`\n${peersText(peers, foundOf(planted), version())}`);
    }
    const interrupted = results.length < trials.length;
    process.exitCode = interrupted ? 3 : results.every((result) => result.ok) ? 0 : 1;
  },
};

/** The defects, and whether the judge found them in every seed. */
function foundOf(results: readonly TrialResult[]): readonly PlantedDefect[] {
  return defects
    .filter(({ id }) => results.some((each) => each.id === id))
    .map(({ id, reach }) => ({ id, reach, found: results.every((each) => each.id !== id || each.ok) }));
}

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
  const { runs, whole, bail, replay, http } = options;
  return rows.flatMap((row) => options.seeds.map((seed) => ({ ...row, seed, runs, whole, bail, replay, http })));
}
