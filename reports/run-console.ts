/** The figures of one run of a world, for people at a terminal. */
import type { Times, WorkerFigures } from "../sim/metrics/index.ts";
import type { RunResult } from "../sim/run.ts";
import type { Palette } from "./palette.ts";
import { cheatLine, partyTable } from "./parties.ts";
import { labelled, tableOf } from "./plain-table.ts";

/** What a report of a run says beyond its result. */
export interface RunHeading {
  readonly name: string;
  readonly file: string;
  /** Seconds on the wall. */
  readonly wall: number;
}

/** Columns of what stands before a line: `units       `. */
const LABEL = 12;

/** The whole report, ending with a newline. */
export function renderRun(result: RunResult, heading: RunHeading, colours: Palette): string {
  const { figures } = result;
  const { jobs, requests, units, workers, disputes, deliveries, stake } = figures;
  const others = [
    disputes.opened > 0 &&
      `disputes    ${whole(disputes.opened)} opened: ${whole(disputes.fraudulent)} fraudulent, ${whole(disputes.honest)} honest, ` +
        `${whole(disputes.opened - disputes.fraudulent - disputes.honest)} undecided`,
    (stake.slashed > 0 || figures.left > 0) &&
      `stakes      ${whole(stake.deposited)} tokens: ${whole(stake.slashed)} slashed; workers that left: ${whole(figures.left)}`,
    deliveries.created > 0 &&
      `deliveries  ${whole(deliveries.created)}: ${whole(deliveries.delivered)} delivered, ${whole(deliveries.failed)} given up, ` +
        `${whole(deliveries.attempts)} attempts; webhooks failed: ${whole(deliveries.webhooksFailed)}`,
    cheatLine(figures.cheats),
  ].filter((line) => typeof line === "string");
  const lines = [
    `${colours.strong(heading.name)}  ${colours.quiet(heading.file)}`,
    `single run, seed ${result.seed}: one draw of chance, not yet a finding`,
    ...(result.complete ? [] : [colours.doubtful(`ended early, at ${duration(result.time)} of its time`)]),
    "",
    `requests    ${whole(requests.arrived)} arrived; refused: ${whole(requests.insufficientCredits)} for lack of units, ${whole(requests.noWorkers)} for lack of workers`,
    `jobs        ${whole(jobs.created)}: ${parts(jobs, colours)}`,
    "",
    tableOf([
      ["", "p50", "p95", "p99", "mean", "max"].map((cell, column) =>
        column === 0 ? cell.padEnd(10) : cell.padStart(9),
      ),
      timesRow("wait", figures.wait),
      timesRow("first token", figures.timeToFirstToken),
      timesRow("sojourn", figures.sojourn),
    ]),
    "",
    ...(["native", "browser"] as const)
      .filter((kind) => workers[kind].workers > 0)
      .map((kind) => workerLine(kind, workers[kind])),
    `units       ${whole(units.bought)} bought = ${whole(units.available)} available + ${whole(units.locked)} locked + ${whole(units.settled)} settled + ${whole(units.redeemed)} redeemed`,
    `            of those settled: ${money(workers.native.paid)} to native workers, ${money(workers.browser.paid)} to browser workers, ${money(figures.treasury)} to the treasury`,
    ...others,
    "",
    partyTable(figures.parties),
    "",
    `checks      ${checks(result, colours)}`,
    ...result.violations.map(({ checker, time, what }) => colours.bad(`  ${duration(time)}  ${checker}: ${what}`)),
    `trace       ${whole(result.traceEvents)} events, hash ${colours.strong(result.hash)}`,
    `speed       ${duration(result.time)} simulated in ${heading.wall.toFixed(2)} s: ${rate(result.events, heading.wall)} events/s, ${rate(jobs.created, heading.wall)} jobs/s`,
  ];
  // Tables keep to themselves.
  const fitted = lines.map((line) => (line.includes("\n") ? line : labelled(line, LABEL)));
  return `${fitted.map((line) => line.trimEnd()).join("\n")}\n`;
}

function parts(jobs: RunResult["figures"]["jobs"], colours: Palette): string {
  const tint = (count: number, paint: (text: string) => string, name: string): string =>
    count === 0 ? `0 ${name}` : paint(`${whole(count)} ${name}`);
  return [
    tint(jobs.settled, colours.good, "settled"),
    tint(jobs.failed, colours.bad, "failed"),
    tint(jobs.refunded, colours.doubtful, "refunded at 120 s"),
    ...(jobs.unfinished > 0 ? [tint(jobs.unfinished, colours.doubtful, "unfinished")] : []),
  ].join(", ");
}

function timesRow(name: string, { p50, p95, p99, mean, max }: Times): readonly string[] {
  return [name.padEnd(10), ...[p50, p95, p99, mean, max].map((time) => (time < 0 ? "-" : seconds(time)).padStart(9))];
}

function workerLine(kind: string, { workers, slots, jobs, utilisation }: WorkerFigures): string {
  const busy = `${(utilisation * 100).toFixed(1)} % busy`;
  return `${kind.padEnd(12)}${whole(workers)} workers, ${whole(slots)} slots: ${whole(jobs)} jobs, ${busy}`;
}

function checks({ complete, violationCount, checkers }: RunResult, colours: Palette): string {
  if (violationCount > 0)
    return colours.bad(`${whole(violationCount)} violations of ${checkers} invariants; the first of them:`);
  return colours.good(`all ${checkers} invariants held${complete ? "" : " so far"}`);
}

/** `172,921` */
function whole(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Hundredths of a unit as units: `1,195.50`. */
function money(hundredths: number): string {
  const cents = ((hundredths % 100) + 100) % 100;
  return `${whole((hundredths - cents) / 100)}.${String(cents).padStart(2, "0")}`;
}

/** Microseconds as seconds, to the millisecond. */
function seconds(time: number): string {
  return `${(time / 1e6).toFixed(3)} s`;
}

/** `1 d 1:00:02.000` */
export function duration(time: number): string {
  const total = Math.floor(time / 1_000);
  const two = (count: number): string => String(count).padStart(2, "0");
  const days = Math.floor(total / 86_400_000);
  const clock = `${Math.floor(total / 3_600_000) % 24}:${two(Math.floor(total / 60_000) % 60)}:${two(Math.floor(total / 1_000) % 60)}`;
  return `${days > 0 ? `${days} d ` : ""}${clock}.${String(total % 1_000).padStart(3, "0")}`;
}

function rate(count: number, wall: number): string {
  return wall > 0 ? whole(Math.round(count / wall)) : "-";
}
