/** `assay merge`: the parts of a study, done in several places, put together. */
import { AssayError, canonicalJson } from "../../sim/core/index.ts";
import { loadStudy, type Outcome, replicationTask } from "../../sim/study/index.ts";
import type { Command } from "../command.ts";
import { engineHere } from "../study/engine.ts";
import { checkedCount } from "../study/options.ts";
import { checkIdentity, identityOf, readIdentity, readOutcomes, Store } from "../study/store.ts";

interface Options {
  readonly study: string;
  readonly parts: readonly string[];
  readonly out: string;
  readonly replications?: number | undefined;
  readonly trace?: string | undefined;
  readonly json: boolean;
}

export const mergeCommand: Command<Options> = {
  command: "merge <study> <parts..>",
  describe: "Join the folders of a study that was done in parts, and write its tables",
  builder: (yargs) =>
    yargs
      .positional("study", { type: "string", demandOption: true, describe: "the YAML file of the study" })
      .positional("parts", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "folders that assay sweep --shard has filled",
      })
      .option("out", { type: "string", requiresArg: true, demandOption: true, describe: "folder of the whole" })
      .option("replications", {
        type: "number",
        requiresArg: true,
        describe: "goes before the study's own, as in the parts",
      })
      .option("trace", { type: "string", requiresArg: true, describe: "CSV file of recorded arrivals" })
      .option("json", { type: "boolean", default: false, describe: "print the summary as JSON" })
      .example("$0 merge study.yaml part-1 part-2 --out whole", "what two machines have done"),
  async handler({ study: file, parts, out, replications, trace, json }) {
    const study = loadStudy(file, { replications: checkedCount(replications, "--replications"), trace });
    const identity = identityOf(study, await engineHere());
    const merged = new Map<string, { readonly outcome: Outcome; readonly from: string }>();
    for (const part of parts) {
      const there = readIdentity(part);
      if (there === undefined) {
        throw new AssayError({
          what: "This folder holds no study.",
          where: part,
          expected: "a folder that assay sweep has filled",
        });
      }
      checkIdentity(there, identity, part);
      for (const outcome of readOutcomes(part)) {
        const other = merged.get(outcome.key);
        if (other !== undefined && canonicalJson(other.outcome) !== canonicalJson(outcome)) {
          throw new AssayError({
            what: "Two parts have different results of one run.",
            where: `${other.from} and ${part}, point ${outcome.point}, seed ${outcome.seeds[0]}`,
            expected: "the same bytes: a run is determined by scenario and seed",
            hint: "one of the files was changed, or one of the machines is broken",
          });
        }
        merged.set(outcome.key, { outcome, from: part });
      }
    }
    const missing = study.points.flatMap(({ index }) =>
      Array.from({ length: study.replications }, (_, replication) =>
        replicationTask(study, index, replication, 0, identity.engine),
      ).filter(({ key }) => !merged.has(key)),
    );
    const [first] = missing;
    if (first !== undefined) {
      throw new AssayError({
        what: "The parts do not make a whole.",
        where: parts.join(" "),
        seen: `${missing.length} replications are missing, the first of them ${first.replication} of point ${first.point}`,
        expected: `${study.points.length} points with ${study.replications} replications each`,
        hint: "run the parts that are missing, or to the end; nothing was written",
      });
    }
    const { finish } = await import("../study/sweep.ts");
    const store = new Store(out, identity);
    for (const { outcome } of merged.values()) {
      if (!store.outcomes.has(outcome.key)) store.put(outcome);
    }
    process.exitCode = await finish(
      study,
      { store, identity, compare: study.compare, json },
      {
        out: process.stdout,
        err: process.stderr,
        env: process.env,
      },
    );
  },
};
