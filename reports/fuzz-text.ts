/** What a hunt has found and reached, for people at a terminal. */
import type { Counterexample, Coverage, Found, Tally } from "../sim/fuzz/index.ts";
import { chainOf } from "../sim/inspect/index.ts";
import { exactTime, tellAll } from "./event-text.ts";
import type { Palette } from "./palette.ts";
import { tableOf } from "./plain-table.ts";

export interface HuntHeading {
  readonly seed: string | number;
  readonly defect: string | undefined;
  /** Seconds on the wall. */
  readonly wall: number;
  readonly checkers: number;
  readonly interrupted: boolean;
}

/** Lines of a story that are printed at most. */
const LONGEST_STORY = 60;

const whole = (count: number): string => Math.round(count).toLocaleString("en-US");

export function renderHunt(tally: Tally, heading: HuntHeading, colours: Palette): string {
  const { seed, defect, wall, checkers, interrupted } = heading;
  const planted = defect === undefined ? "" : `, with ${defect} planted`;
  const outcome =
    tally.found.length > 0
      ? colours.bad(`world ${tally.found[0]!.world} broke a promise`)
      : colours.good(`all ${checkers} invariants held in every world`);
  return `${[
    `${colours.strong("hunt")}  seed ${seed}${planted}: ${whole(tally.worlds)} worlds, ${whole(tally.jobs)} jobs in ${wall.toFixed(1)} s`,
    ...(interrupted ? [colours.doubtful("ended early")] : []),
    outcome,
    // A hunt that ends with a finding has hardly begun: what it did not reach says nothing.
    ...(tally.found.length > 0 ? [] : ["", ...coverageLines(tally.coverage, colours)]),
  ].join("\n")}\n`;
}

/** What was found, what became of it, and what led there. `replay` is the command that shows it again. */
export function renderFound(
  found: Found,
  small: Counterexample,
  { file, replay }: { readonly file: string; readonly replay: string },
  colours: Palette,
): string {
  const { violation } = small;
  return `${[
    "",
    colours.bad(`${violation.checker}: ${violation.what}`),
    `  at ${exactTime(violation.time)}, hash ${small.hash}`,
    `  drawn: ${found.features.length > 0 ? found.features.join(", ") : "nothing beyond the frame"}`,
    `  shrunk in ${whole(small.tries)} tries from ${jobs(found.jobs)} to ${jobs(small.jobs)}: ${file}`,
    `  replay: ${colours.strong(replay)}`,
    "",
    "what led there",
    ...tellAll(chainOf(small.events, violation), LONGEST_STORY).map((line) => `  ${line}`),
    `  ${colours.bad(`${exactTime(violation.time)}  ${violation.what}`)}`,
  ].join("\n")}\n`;
}

const jobs = (count: number): string => `${whole(count)} ${count === 1 ? "job" : "jobs"}`;

function coverageLines(coverage: Coverage, colours: Palette): readonly string[] {
  const parts = [
    ["features and faults", coverage.features],
    ["moves of a job", coverage.moves],
    ["kinds of events", coverage.kinds],
  ] as const;
  const rows = parts.map(([name, counts]) => {
    const all = Object.entries(counts);
    const never = all.filter(([, count]) => count === 0).map(([each]) => each);
    const reached = `${all.length - never.length} of ${all.length}`;
    return [name, reached.padStart(9), never.length === 0 ? "" : colours.quiet(`never: ${never.join(", ")}`)];
  });
  return [tableOf([["reached", "", ""], ...rows])];
}
