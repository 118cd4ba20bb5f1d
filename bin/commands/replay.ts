/** `assay replay`: looks inside a run, recorded or run again. */
import { closeSync, openSync, writeSync } from "node:fs";
import { exactTime, tell, tellAll } from "../../reports/event-text.ts";
import { palette, wantsColour } from "../../reports/palette.ts";
import { renderState } from "../../reports/state-text.ts";
import { AssayError, microseconds } from "../../sim/core/index.ts";
import {
  type Actor,
  actorIn,
  chromeEvents,
  concerns,
  lifeOfJob,
  stateAt,
  type WorldEvent,
} from "../../sim/inspect/index.ts";
import { kinds } from "../../sim/trace/index.ts";
import type { Command } from "../command.ts";
import { nearest } from "../nearest.ts";
import { eventsOf, traceSource } from "../trace-source.ts";
import { plantedDefect } from "./fuzz.ts";
import type { Streams } from "./run.ts";

export interface ReplayOptions {
  readonly run: string;
  readonly job?: number | undefined;
  readonly at?: string | undefined;
  readonly actor?: string | undefined;
  readonly kind?: readonly string[] | undefined;
  readonly chrome?: string | undefined;
  readonly limit: number;
  readonly seed?: string | undefined;
  readonly trace?: string | undefined;
  readonly defect?: string | undefined;
  readonly json: boolean;
}

export const replayCommand: Command<ReplayOptions> = {
  command: "replay <run>",
  describe: "Look inside a run: the life of a job, the world at a moment, chosen events, a trace for Chrome",
  builder: (yargs) =>
    yargs
      .positional("run", {
        type: "string",
        demandOption: true,
        describe: "a trace that run --record wrote, or a scenario, which is run again",
      })
      .option("job", { type: "number", requiresArg: true, describe: "the life of that job of the run, counted from 0" })
      .option("at", { type: "string", requiresArg: true, describe: 'the world at that time, such as "90s"' })
      .option("actor", {
        type: "string",
        requiresArg: true,
        describe: 'only events of, such as "worker 3" or "wallet 0"',
      })
      .option("kind", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "only events of these kinds, or groups: job, delivery",
      })
      .option("chrome", { type: "string", requiresArg: true, describe: "write Chrome's trace format to this file" })
      .option("limit", { type: "number", default: 200, describe: "events printed at most" })
      .option("seed", { type: "string", requiresArg: true, describe: "goes before the scenario's own" })
      .option("trace", { type: "string", requiresArg: true, describe: "CSV file of recorded arrivals" })
      .option("defect", { type: "string", requiresArg: true, describe: "plants a defect of assay fuzz --list" })
      .option("json", { type: "boolean", default: false, describe: "events, or the state, as JSON" })
      .example("$0 replay run.ndjson --job 17", "what happened to the 18th job")
      .example("$0 replay run.ndjson --at 90s", "the world after 90 seconds")
      .example("$0 replay run.ndjson --actor 'worker 3' --kind stake", "what became of a worker's stake"),
  handler: async (options) => {
    process.exitCode = await replay(options, { out: process.stdout, err: process.stderr, env: process.env });
  },
};

/** @returns 0 @throws AssayError where the run cannot be read or an option names nothing in it */
export async function replay(options: ReplayOptions, { out, env }: Streams): Promise<number> {
  const at = options.at === undefined ? undefined : microseconds(options.at, "--at");
  const filter = filterOf(options);
  const defect = options.defect === undefined ? undefined : plantedDefect(options.defect);
  const { events, count, hash } = await eventsOf(
    traceSource(options.run, { seed: options.seed, trace: options.trace, defect }),
  );
  const colours = palette(wantsColour(out, env));
  if (options.chrome !== undefined) {
    const written = writeChrome(options.chrome, events);
    out.write(
      `${options.chrome}: ${written.toLocaleString("en-US")} entries; open it in chrome://tracing or ui.perfetto.dev\n`,
    );
    if (options.job === undefined && at === undefined && filter === undefined) return 0;
  }
  if (at !== undefined) {
    const state = stateAt(events, at);
    out.write(options.json ? `${JSON.stringify(state, null, 2)}\n` : renderState(state, colours));
    if (options.job === undefined && filter === undefined) return 0;
  }
  let chosen: Iterable<WorldEvent> = events;
  if (options.job !== undefined) {
    const life = lifeOfJob(events, options.job);
    if (life === undefined) throw noSuchJob(options.job, events);
    chosen = at === undefined ? life : life.filter((event) => event.time <= at);
  }
  if (options.job === undefined && filter === undefined) {
    out.write(summary(options.run, events, count, hash));
    return 0;
  }
  const kept: WorldEvent[] = [];
  let left = 0;
  for (const event of chosen) {
    if (filter !== undefined && !filter(event)) continue;
    if (kept.length < options.limit) kept.push(event);
    else left++;
  }
  if (options.json) for (const event of kept) out.write(`${JSON.stringify(event)}\n`);
  else out.write(kept.length === 0 ? "no such event\n" : `${tellAll(kept).join("\n")}\n`);
  if (left > 0)
    out.write(options.json ? "" : colours.quiet(`... ${left.toLocaleString("en-US")} more; --limit shows more\n`));
  return 0;
}

function filterOf({ actor, kind = [], limit }: ReplayOptions): ((event: WorldEvent) => boolean) | undefined {
  if (!(limit >= 1))
    throw new AssayError({ what: "Nothing to print.", where: "--limit", seen: limit, expected: "1 or more" });
  const who = actor === undefined ? undefined : actorOf(actor);
  const wanted = kind.map(kindsOf);
  if (who === undefined && wanted.length === 0) return undefined;
  return (event) =>
    (who === undefined || concerns(event, who)) &&
    (wanted.length === 0 || wanted.some((names) => names.includes(event.kind)));
}

function actorOf(text: string): Actor {
  const actor = actorIn(text.replaceAll(/[#:-]/g, " "));
  if (actor !== undefined) return actor;
  throw new AssayError({
    what: "There is no such actor.",
    where: "--actor",
    seen: text,
    expected: "job, worker, wallet, delivery or webhook, and its number",
    hint: 'write "worker 3"',
  });
}

/** One kind by its name, or all whose names begin with that word and a dot. */
function kindsOf(name: string): readonly string[] {
  const known: readonly string[] = kinds.names;
  if (known.includes(name)) return [name];
  const group = known.filter((kind) => kind.startsWith(`${name}.`));
  if (group.length > 0) return group;
  const groups = [...new Set(known.map((kind) => kind.split(".")[0]!))];
  const near = nearest(name, [...groups, ...known]);
  throw new AssayError({
    what: "There is no such kind of event.",
    where: "--kind",
    seen: name,
    expected: `one of ${groups.join(", ")}, or the whole name of a kind`,
    hint: near === undefined ? undefined : `did you mean "${near}"?`,
  });
}

function noSuchJob(job: number, events: Iterable<WorldEvent>): AssayError {
  let jobs = 0;
  for (const { kind } of events) if (kind === "job.created") jobs++;
  return new AssayError({
    what: "There is no such job in the run.",
    where: "--job",
    seen: job,
    expected: jobs === 0 ? "a run that has jobs" : `0 to ${jobs - 1}`,
  });
}

function summary(file: string, events: Iterable<WorldEvent>, count: number, hash: string): string {
  const counts = new Map<string, number>();
  let last: WorldEvent | undefined;
  for (const event of events) {
    counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    last = event;
  }
  const rows = [...counts].map(([kind, times]) => `  ${kind.padEnd(20)}${times.toLocaleString("en-US").padStart(12)}`);
  const ends = last === undefined ? "" : `the last at ${exactTime(last.time)}: ${tell(last)}\n`;
  return `${file}: ${count.toLocaleString("en-US")} events, hash ${hash}\n${ends}${rows.join("\n")}\n\n--job, --at, --actor and --kind show more\n`;
}

/** Entry by entry: a long trace never stands in memory as text. */
function writeChrome(file: string, events: Iterable<WorldEvent>): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, "w");
  } catch (cause) {
    throw new AssayError({
      what: "The trace for Chrome cannot be written.",
      where: file,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "a file in a directory that exists",
      cause,
    });
  }
  try {
    let written = 0;
    let pending = '{"displayTimeUnit":"ms","traceEvents":[\n';
    for (const entry of chromeEvents(events)) {
      pending += `${written++ === 0 ? "" : ",\n"}${JSON.stringify(entry)}`;
      if (pending.length > 1 << 20) {
        writeSync(descriptor, pending);
        pending = "";
      }
    }
    writeSync(descriptor, `${pending}\n]}\n`);
    return written;
  } finally {
    closeSync(descriptor);
  }
}
