/** What the studies of fraud have in common: runs, points and frontiers. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { conduct } from "../../bin/study/conduct.ts";
import { engineHere } from "../../bin/study/engine.ts";
import { inline, threads } from "../../bin/study/runner.ts";
import {
  byPoint,
  type Crossing,
  crossing,
  differs,
  type Interval,
  loadStudy,
  meanInterval,
  type Outcome,
  type Study,
  valuesOfMetric,
} from "../../sim/study/index.ts";

export const CONFIDENCE = 0.95;

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface MeasuredPoint {
  /** Of audits, or of clients who compare. */
  readonly rate: number;
  /** Tokens, at a unit each. */
  readonly slash: number;
  /** Profit of one cheat, units: one value a replication. */
  readonly values: readonly number[];
  readonly interval: Interval;
  readonly verdict: "not distinguishable" | "cheating pays" | "cheating does not pay";
  /** By the closed form. */
  readonly truth: number;
}

export interface Frontier extends Crossing {
  readonly rate: number;
  readonly truth: number;
  readonly inside: boolean;
}

export interface Measured {
  readonly study: Study;
  readonly points: readonly MeasuredPoint[];
  readonly rates: readonly number[];
  readonly slashes: readonly number[];
  readonly frontier: readonly Frontier[];
  /** Points whose interval holds the closed form. */
  readonly covered: number;
  /** Cheats in a replication. */
  readonly cheats: number;
}

export interface Theory {
  /** Expected profit of one cheat, and the slash at which it is none. */
  profit(rate: number, slash: number): number;
  deterring(rate: number): number;
}

/**
 * Runs a study of two factors, a rate and `slash`.
 *
 * @param file in scenarios/studies
 * @param factor the rate's name
 * @param cheat the party that cheats
 */
export async function measured(file: string, factor: string, cheat: string, theory: Theory): Promise<Measured> {
  const study = loadStudy(`${root}scenarios/studies/${file}`);
  const outcomes = new Map<string, Outcome>();
  const runner = process.argv.includes("--inline") ? inline : threads(availableParallelism());
  const { failures } = await conduct(study, {
    runner,
    engine: await engineHere(),
    signal: new AbortController().signal,
    outcomes,
    keep: (task, text) => outcomes.set(task.key, JSON.parse(text) as Outcome),
  });
  await runner.close();
  if (failures.length > 0) throw new Error(failures[0]!.message);

  const rows = byPoint(study, outcomes.values());
  const points = study.points.map(({ index, factors }): MeasuredPoint => {
    const [rate, slash] = [Number(factors[factor]), Number(factors.slash)];
    const values = valuesOfMetric(rows[index]!, `party.${cheat}.perCheat`);
    const interval = meanInterval(values, CONFIDENCE);
    const verdict = !differs(interval)
      ? "not distinguishable"
      : interval.mean > 0
        ? "cheating pays"
        : "cheating does not pay";
    return { rate, slash, values, interval, verdict, truth: theory.profit(rate, slash) };
  });
  const rates = [...new Set(points.map(({ rate }) => rate))];
  const slashes = [...new Set(points.map(({ slash }) => slash))];
  /** All frontiers together hold with the confidence asked for. */
  const each = 1 - (1 - CONFIDENCE) / rates.length;
  const frontier = rates.map((rate): Frontier => {
    const row = points.filter((point) => point.rate === rate);
    const found = crossing(
      slashes,
      row.map(({ values }) => values),
      each,
    );
    if (found === undefined) throw new Error(`no frontier at a rate of ${rate}`);
    const truth = theory.deterring(rate);
    return { rate, ...found, truth, inside: found.low <= truth && truth <= found.high };
  });
  const covered = points.filter(({ interval, truth }) => Math.abs(interval.mean - truth) <= interval.halfWidth).length;
  const cheats = meanInterval(rows.flatMap((row) => valuesOfMetric(row, "cheats.committed"))).mean;
  return { study, points, rates, slashes, frontier, covered, cheats };
}
