/** A study from its points to its tables, with what a person sees of it. */
import { palette, wantsColour } from "../../reports/palette.ts";
import { progressLine } from "../../reports/progress.ts";
import { renderRanking, renderStudy } from "../../reports/study-console.ts";
import { AssayError } from "../../sim/core/index.ts";
import { findMetric, metrics, ranking, type Study, summarise, tellFactors } from "../../sim/study/index.ts";
import type { Streams } from "../commands/run.ts";
import { writeWhole } from "../whole-file.ts";
import { type Conducted, conduct, type Failure, type Shard } from "./conduct.ts";
import { engineHere } from "./engine.ts";
import { type Disk, disk } from "./files.ts";
import type { Runner } from "./runner.ts";
import { identityOf, Store } from "./store.ts";
import { tablesOf } from "./tables.ts";

export interface SweepOptions {
  /** Folder of the results. */
  readonly out: string;
  readonly runner: Runner;
  readonly shard?: Shard | undefined;
  /** `factor:metric`, goes before the study's own. */
  readonly compare?: string | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
  /** File of a report with charts. */
  readonly html?: string | undefined;
  /** The command that makes the study again. */
  readonly replay?: string | undefined;
  readonly disk?: Disk;
  readonly signal?: AbortSignal;
}

const EXIT_INTERRUPTED = 130;

/**
 * @returns 0 where all is done, 1 where a point failed or broke an invariant, 130 where Ctrl-C ended it
 * @throws AssayError where results cannot be written, or the folder holds something else
 */
export async function sweep(study: Study, options: SweepOptions, streams: Streams): Promise<number> {
  const compare = compareOf(options.compare, study);
  const engine = await engineHere();
  const identity = identityOf(study, engine);
  const store = new Store(options.out, identity, options.disk ?? disk);
  const there = store.outcomes.size;
  const colours = palette(wantsColour(streams.err, streams.env));
  let line: ReturnType<typeof progressLine> | undefined;
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  options.signal?.addEventListener("abort", interrupt, { once: true });
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  let conducted: Conducted;
  try {
    conducted = await conduct(study, {
      runner: options.runner,
      engine,
      signal: stop.signal,
      outcomes: store.outcomes,
      keep: (task, text) => store.keep(task, text),
      shard: options.shard,
      progress: (ended, total, found) => {
        if (options.quiet) return;
        line ??= progressLine(streams.err, { unit: "runs", total: total - found, colours });
        line.tell(ended - found);
      },
    });
  } finally {
    line?.end();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
    options.signal?.removeEventListener("abort", interrupt);
  }
  if (there > 0 && !options.quiet) streams.err.write(`${there} results were there already\n`);
  return conclude(study, conducted, { ...options, compare, store, identity }, streams);
}

interface Conclusion extends Omit<SweepOptions, "compare"> {
  readonly compare: Study["compare"];
  readonly store: Store;
  readonly identity: ReturnType<typeof identityOf>;
}

async function conclude(study: Study, conducted: Conducted, options: Conclusion, streams: Streams): Promise<number> {
  const { total, done, failures, interrupted } = conducted;
  const { store } = options;
  for (const failure of failures.slice(0, TOLD)) streams.err.write(tellFailure(failure, store));
  if (failures.length > TOLD) streams.err.write(`and ${failures.length - TOLD} more\n`);
  if (interrupted) {
    streams.err.write(
      `stopped: ${done} of ${total} replications are done and kept in ${store.folder}; the same command goes on\n`,
    );
    return EXIT_INTERRUPTED;
  }
  if (failures.length > 0) {
    streams.err.write(
      `${done} of ${total} replications are done and kept in ${store.folder}; the same command tries the others again\n`,
    );
    return 1;
  }
  if (options.shard !== undefined) {
    streams.out.write(
      `part ${options.shard.index} of ${options.shard.count}: ${done} replications in ${store.folder}; assay merge joins the parts\n`,
    );
    return 0;
  }
  return finish(study, options, streams);
}

/** Writes the tables and prints the summary of a study that is complete. */
export async function finish(
  study: Study,
  options: Pick<Conclusion, "store" | "identity" | "compare" | "json" | "html" | "replay">,
  { out, env }: Streams,
): Promise<number> {
  const { store, identity, compare } = options;
  for (const [name, data] of tablesOf(study, identity, store.outcomes.values())) store.write(name, data);
  const points = summarise(study, store.outcomes.values());
  const ranked = compare && ranking(study, store.outcomes.values(), compare);
  if (options.html !== undefined) {
    // The charts' library is large: only a study that wants a page waits for it.
    const { studyHtml } = await import("../../reports/study/page.ts");
    writeWhole(options.html, await studyHtml({ study, points, compare, ranked, replay: options.replay ?? "" }));
  }
  const broken = [...store.outcomes.values()].filter(({ run }) => (run?.violations ?? 0) > 0);
  if (options.json) {
    const rows = points.map(({ point: { index, factors, hash }, ...rest }) => ({
      point: index,
      factors,
      hash,
      ...rest,
    }));
    out.write(
      `${JSON.stringify({ name: study.name, study: study.hash, folder: store.folder, points: rows, ranking: ranked ?? null }, null, 2)}\n`,
    );
  } else {
    const colours = palette(wantsColour(out, env));
    out.write(renderStudy(study, points, colours));
    if (compare !== undefined && ranked !== undefined) out.write(renderRanking(study, compare, ranked, colours));
    if (compare !== undefined && ranked === undefined)
      out.write(`\n${compare.metric} has no value in some replication: no ranking\n`);
    for (const { point, seeds, run } of broken.slice(0, TOLD)) {
      out.write(`point ${point}, seed ${seeds[0]}: ${run!.violations} invariants broken; ${run!.violation}\n`);
    }
    out.write(
      `\n${store.folder}: results.csv, results.parquet, points.csv, points.parquet, dictionary.csv, manifest.json\n`,
    );
  }
  return broken.length > 0 ? 1 : 0;
}

const TOLD = 5;

function tellFailure({ task, message }: Failure, store: Store): string {
  const file = store.keepFailed(task);
  const seeds = task.kind === "pilot" ? "its pilot" : `replication ${task.replication}`;
  return [
    `Point ${task.point} failed, ${seeds}: ${tellFactors(task.factors)}`,
    `  ${"seen".padEnd(10)}${message.replaceAll("\n", `\n${" ".repeat(12)}`)}`,
    `  ${"replay".padEnd(10)}assay run ${file} --seed ${task.seeds[0]}`,
    "",
  ].join("\n");
}

function compareOf(text: string | undefined, study: Study): Study["compare"] {
  if (text === undefined) return study.compare;
  const [factor = "", metric = "", better] = text.split(":");
  const names = study.factors.map(({ name }) => name);
  const wrong = (what: string, seen: string, known: readonly string[]): AssayError =>
    new AssayError({
      what,
      where: "--compare",
      seen,
      expected: `one of ${known.join(", ")}`,
      hint: "--compare factor:metric, or factor:metric:higher",
    });
  if (!names.includes(factor)) throw wrong("There is no such factor.", factor, names);
  if (findMetric(metric) === undefined)
    throw wrong(
      "There is no such metric.",
      metric,
      metrics.map(({ name }) => name),
    );
  if (better !== undefined && better !== "lower" && better !== "higher")
    throw wrong("Which is better?", better, ["lower", "higher"]);
  return { factor, metric, ...(better === undefined ? {} : { better }) };
}
