/** From a recorded trace to a scenario: how its requests come, how long prompts and answers are, and how well that fits. */
import { SECOND, type Stream, stream } from "../core/index.ts";
import type { ArrivalTrace } from "../scenario/index.ts";
import { bootstrapP, type Fit, fitAll, quantilePairs } from "./fit.ts";
import { meanOf, quantileOf, varianceOf } from "./interval.ts";

export interface Calibrated {
  readonly name: "gaps" | "prompt tokens" | "output tokens";
  readonly unit: "s" | "tokens";
  readonly values: Float64Array;
  /** Best first. */
  readonly fits: readonly Fit[];
  /** Of the best fit, by parametric bootstrap. */
  readonly p: number;
  /** Share, recorded value, value of the best fit. */
  readonly quantiles: readonly (readonly [share: number, recorded: number, fitted: number])[];
  /** What the scenario says: the best fit where it is near enough, else a table of the recorded quantiles. */
  readonly spec: string | { readonly kind: "empirical"; readonly values: readonly number[] };
}

export interface Calibration {
  readonly file: string;
  readonly requests: number;
  /** Requests a second. */
  readonly rate: number;
  /** Coefficient of variation of the gaps; 1 for a Poisson process. */
  readonly variation: number;
  /** Correlation of neighbouring gaps; 0 for a renewal process. */
  readonly correlation: number;
  /** Variance of the number of requests in a minute over its mean; 1 for a Poisson process. */
  readonly dispersion: number;
  readonly parts: readonly Calibrated[];
}

/** A fit that is nowhere farther off than this is taken; else the recorded quantiles are. */
export const NEAR = 0.05;
const SHARES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
const TABLE = 200;

/** @param rounds of the bootstrap */
export function calibrate(trace: ArrivalTrace, rounds = 99): Calibration {
  const dice = stream(1, "calibration", "bootstrap");
  const gaps = Float64Array.from(trace.time.slice(1), (time, index) => Math.max(1, time - trace.time[index]!));
  const span = trace.time.at(-1)! - trace.time[0]!;
  const mean = meanOf(gaps);
  const minutes = new Float64Array(Math.floor(span / (60 * SECOND)));
  for (const time of trace.time) {
    const minute = Math.floor(time / (60 * SECOND));
    if (minute < minutes.length) minutes[minute] = minutes[minute]! + 1;
  }
  return {
    file: trace.file,
    requests: trace.time.length,
    rate: (trace.time.length - 1) / (span / SECOND),
    variation: Math.sqrt(varianceOf([...gaps])) / mean,
    correlation: correlationOf(gaps, mean),
    dispersion: minutes.length < 2 ? 1 : varianceOf([...minutes]) / meanOf(minutes),
    parts: [
      part(
        "gaps",
        "s",
        gaps.map((gap) => gap / SECOND),
        dice,
        rounds,
      ),
      part("prompt tokens", "tokens", Float64Array.from(trace.promptTokens, atLeastOne), dice, rounds),
      part("output tokens", "tokens", Float64Array.from(trace.outputTokens, atLeastOne), dice, rounds),
    ],
  };
}

const atLeastOne = (tokens: number): number => Math.max(1, tokens);

function correlationOf(values: Float64Array, mean: number): number {
  let products = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    squares += (values[i]! - mean) ** 2;
    if (i > 0) products += (values[i]! - mean) * (values[i - 1]! - mean);
  }
  return squares === 0 ? 0 : products / squares;
}

function part(
  name: Calibrated["name"],
  unit: Calibrated["unit"],
  values: Float64Array,
  dice: Stream,
  rounds: number,
): Calibrated {
  const fits = fitAll(values);
  const best = fits[0]!;
  const pairs = quantilePairs(values, best, SHARES);
  return {
    name,
    unit,
    values,
    fits,
    p: bootstrapP(best, values.length, dice, rounds),
    quantiles: SHARES.map((share, index) => [share, ...pairs[index]!] as const),
    spec: best.distance <= NEAR ? specOf(best, unit) : { kind: "empirical", values: tableOf(values, unit) },
  };
}

/** `gamma(shape=0.84, scale=215ms)`: times in whole microseconds, tokens in whole tokens, shapes in six digits. */
function specOf({ family, parameters }: Fit, unit: Calibrated["unit"]): string {
  const lengths = ["mean", "median", "scale"];
  const told = Object.entries(parameters).map(([name, value]) => {
    if (!lengths.includes(name)) return `${name}=${Number(value.toPrecision(6))}`;
    return `${name}=${unit === "s" ? `${Math.max(1, Math.round(value * SECOND))}us` : Math.max(1, Math.round(value))}`;
  });
  return `${family}(${told.join(", ")})`;
}

/** The middles of so many equal parts of what was recorded. */
function tableOf(values: Float64Array, unit: Calibrated["unit"]): readonly number[] {
  const ascending = values.toSorted();
  const count = Math.min(TABLE, ascending.length);
  return Array.from({ length: count }, (_, index) => {
    const value = quantileOf(ascending, (index + 0.5) / count);
    return unit === "s" ? Math.max(1, Math.round(value * SECOND)) : Math.round(value);
  });
}
