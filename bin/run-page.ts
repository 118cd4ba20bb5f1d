/** What `--html` adds to a run: readers of its trace, and a page at its end. */
import { MotionRecorder } from "../reports/motion/record.ts";
import { motionSection } from "../reports/motion/section.ts";
import { BusyTime } from "../reports/run/busy-time.ts";
import { AssayError, microseconds } from "../sim/core/index.ts";
import { SeriesFold } from "../sim/metrics/series.ts";
import type { RunResult } from "../sim/run.ts";
import type { Fold, Recorder, WorldKinds } from "../sim/trace/index.ts";
import { FAULT } from "../sim/trace/kinds.ts";
import type { WorldOptions } from "../sim/world.ts";
import { mustBeWritable, writeWhole } from "./whole-file.ts";

export interface PageFlags {
  readonly html?: string | undefined;
  readonly motion?: string | undefined;
}

/** The flags by name, for yargs. */
export const pageFlags = {
  html: { type: "string", requiresArg: true, describe: "write a report with charts and a replay as one HTML page" },
  motion: {
    type: "string",
    requiresArg: true,
    describe: "what of the run the page replays: a number of events, a window such as 10min..20min, or none [100000]",
  },
} as const;

export interface RunPageMaker {
  readonly folds: readonly Fold<WorldKinds>[];
  /** The run's recorder; another one sees every event, too. */
  recorder(beyond: Recorder | undefined): Recorder | undefined;
  /** Writes the page of a run that has ended. */
  write(run: {
    readonly name: string;
    readonly file: string;
    readonly result: RunResult;
    readonly replay: string;
  }): Promise<void>;
}

/** Events of a replay unless told. */
const EVENTS = 100_000;

/** Points of a chart over time, at most. */
const BUCKETS = 160;

/**
 * Looks at the flags before the run begins; undefined when no page is wanted.
 *
 * @throws AssayError where a flag is wrong or the file cannot be written
 */
export function openRunPage(flags: PageFlags, world: WorldOptions): RunPageMaker | undefined {
  const { html, motion } = flags;
  if (html === undefined) {
    if (motion === undefined) return undefined;
    throw wrongMotion(motion, "--html with it: the replay is a part of the page");
  }
  mustBeWritable("--html", html);
  const limits = limitsOf(motion);
  const series = new SeriesFold(BUCKETS);
  const busy = new BusyTime(new SeriesFold(BUCKETS));
  let recorder: MotionRecorder | undefined;
  return {
    folds: [series, busy],
    recorder(beyond) {
      if (limits !== null) recorder = new MotionRecorder(limits, beyond);
      return recorder ?? beyond;
    },
    async write({ name, file, result, replay }) {
      // The charts' library is large: only a run that wants a page waits for it.
      const { runHtml } = await import("../reports/run/html/page.ts");
      const data = recorder?.data(result.time, namesOf(world));
      const page = {
        name,
        file,
        result,
        replay,
        series: series.series(result.time),
        busy: busy.end < result.time * 0.7 ? busy.series.series(busy.end) : undefined,
        motion: data === undefined ? undefined : motionSection(data),
      };
      writeWhole(html, await runHtml(page));
    },
  };
}

/** @throws AssayError where a page is wanted of many runs */
export function refusePage({ html }: PageFlags): void {
  if (html === undefined) return;
  throw new AssayError({
    what: "The page is of one run.",
    where: "--html",
    seen: "replications of a run, or two scenarios",
    expected: "a single run",
    hint: "assay sweep --html writes the page of a study",
  });
}

/** Null for no replay. */
function limitsOf(motion: string | undefined): { events: number; from: number; to: number } | null {
  if (motion === "none") return null;
  if (motion === undefined) return { events: EVENTS, from: 0, to: Infinity };
  if (/^\d{1,9}$/.test(motion) && Number(motion) > 0) return { events: Number(motion), from: 0, to: Infinity };
  const window = /^([^.]\S*?)\.\.(\S+)$/.exec(motion);
  if (window === null) throw wrongMotion(motion);
  const [from, to] = [window[1], window[2]].map((text) => microseconds(text ?? "", `--motion ${motion}`)) as [
    number,
    number,
  ];
  if (from >= to) throw wrongMotion(motion, "a window whose end comes after its beginning");
  return { events: EVENTS * 10, from, to };
}

function wrongMotion(
  seen: string,
  expected = "a number of events (100000), a window of time (10min..20min), or none",
): AssayError {
  return new AssayError({ what: "This says not what the page is to replay.", where: "--motion", seen, expected });
}

function namesOf({ models, parties }: WorldOptions) {
  return {
    models: models.map(({ id }) => id),
    populations: parties?.clients.map(({ name }) => name) ?? [],
    classes: parties?.workers.map(({ name }) => name) ?? [],
    faults: Object.fromEntries(Object.entries(FAULT).map(([name, number]) => [number, wordsOf(name)])),
  };
}

/** `slowBlocks` as `slow blocks`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
