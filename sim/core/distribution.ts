/**
 * Distributions of integer quantities, given as data: delays in microseconds, token counts.
 *
 * A distribution is written as an object, `{ kind: "lognormal", median: "20ms", sigma: 0.5 }`, or as text with the same words,
 * `"lognormal(median=20ms, sigma=0.5)"`; a bare number or duration is a constant.
 */
import { type Duration, microseconds } from "./duration.ts";
import { AssayError } from "./errors.ts";
import { exp, ln, sqrt } from "./maths.ts";
import { gammaFunction, normalMeanAboveZero } from "./moments.ts";
import type { Stream } from "./stream.ts";

/** Parameters that are a `Duration` are integers >= 0 or text with a unit of time; the others are plain numbers. */
export type DistributionSpec =
  | Duration
  | { readonly kind: "constant"; readonly value: Duration }
  /** Every integer from `min` to `max`, both included. */
  | { readonly kind: "uniform"; readonly min: Duration; readonly max: Duration }
  | { readonly kind: "exponential"; readonly mean: Duration }
  /** e to a normal: by its median and the deviation of the logarithm, or by its mean and coefficient of variation. */
  | { readonly kind: "lognormal"; readonly median: Duration; readonly sigma: number }
  | { readonly kind: "lognormal"; readonly mean: Duration; readonly cv: number }
  /** Truncated at zero: negative values are drawn again, which moves the mean a little above `mean`. */
  | { readonly kind: "normal"; readonly mean: Duration; readonly deviation: Duration }
  /** Mean `shape * scale`; shape k is the sum of k exponentials (Erlang-k). */
  | { readonly kind: "gamma"; readonly shape: number; readonly scale: Duration }
  | { readonly kind: "weibull"; readonly shape: number; readonly scale: Duration }
  /** One of the values; each as often as its integer weight says, all equally often without weights. */
  | { readonly kind: "empirical"; readonly values: readonly Duration[]; readonly weights?: readonly number[] };

export interface Distribution {
  /** The mean before rounding to integers, which moves it by less than a half. */
  readonly mean: number;
  /** An integer >= 0. */
  draw(stream: Stream): number;
}

/**
 * @param where the place of the spec, for messages
 * @throws AssayError where the kind or a parameter is unknown, missing or out of range
 */
export function distribution(spec: DistributionSpec, where = "distribution"): Distribution {
  if (typeof spec === "object") return fromFields({ ...spec }, where);
  const call = /^\s*([a-z]+)\s*\((.*)\)\s*$/.exec(String(spec));
  if (call === null) return fromFields({ kind: "constant", value: spec }, where);
  const fields: Record<string, unknown> = { kind: call[1] };
  for (const part of call[2]!.split(",")) {
    const [name, value, ...rest] = part.split("=").map((word) => word.trim());
    if (!name || !value || rest.length > 0) throw malformed(spec, where);
    fields[name] = value;
  }
  return fromFields(fields, where);
}

const PARAMETERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  constant: [["value"]],
  uniform: [["min", "max"]],
  exponential: [["mean"]],
  lognormal: [
    ["median", "sigma"],
    ["mean", "cv"],
  ],
  normal: [["mean", "deviation"]],
  gamma: [["shape", "scale"]],
  weibull: [["shape", "scale"]],
  empirical: [["values"], ["values", "weights"]],
};

function fromFields(fields: Readonly<Record<string, unknown>>, where: string): Distribution {
  const { kind, ...given } = fields;
  const alternatives = PARAMETERS[String(kind)];
  if (alternatives === undefined) throw unknownKind(kind, where);
  const names = Object.keys(given);
  if (!alternatives.some((wanted) => wanted.length === names.length && wanted.every((name) => name in given))) {
    throw new AssayError({
      what: `The parameters of "${kind}" are wrong.`,
      where,
      seen: names.length === 0 ? "none" : names.join(", "),
      expected: alternatives.map((wanted) => wanted.join(", ")).join("; or "),
    });
  }
  const duration = (name: string): number => microseconds(given[name] as Duration, `${where}.${name}`);
  const positive = (name: string): number => {
    const value = Number(given[name]);
    if (value > 0 && Number.isFinite(value)) return value;
    throw new AssayError({
      what: "This parameter is out of range.",
      where: `${where}.${name}`,
      seen: given[name],
      expected: "a number above 0",
    });
  };
  switch (kind) {
    case "constant":
      return constant(duration("value"));
    case "uniform":
      return uniform(duration("min"), duration("max"), where);
    case "exponential": {
      const mean = duration("mean");
      return { mean, draw: (stream) => stream.exponential(mean) };
    }
    case "lognormal":
      return "median" in given
        ? lognormal(duration("median"), positive("sigma"))
        : lognormalByMean(duration("mean"), positive("cv"));
    case "normal":
      return truncatedNormal(duration("mean"), duration("deviation"));
    case "gamma": {
      const [shape, scale] = [positive("shape"), duration("scale")];
      return { mean: shape * scale, draw: (stream) => Math.round(stream.gamma(shape, scale)) };
    }
    case "weibull": {
      const [shape, scale] = [positive("shape"), duration("scale")];
      return { mean: scale * gammaFunction(1 + 1 / shape), draw: (stream) => Math.round(stream.weibull(shape, scale)) };
    }
    default:
      return empirical(given.values as readonly Duration[], given.weights as readonly number[] | undefined, where);
  }
}

function constant(value: number): Distribution {
  return { mean: value, draw: () => value };
}

function uniform(min: number, max: number, where: string): Distribution {
  if (min > max)
    throw new AssayError({
      what: "A uniform distribution is upside down.",
      where,
      seen: `${min} .. ${max}`,
      expected: "min <= max",
    });
  const count = max - min + 1;
  return { mean: (min + max) / 2, draw: (stream) => min + stream.below(count) };
}

function lognormal(median: number, sigma: number): Distribution {
  const mu = ln(median);
  return { mean: median * exp((sigma * sigma) / 2), draw: (stream) => Math.round(stream.lognormal(mu, sigma)) };
}

function lognormalByMean(mean: number, cv: number): Distribution {
  const variance = ln(1 + cv * cv);
  return { ...lognormal(mean * exp(-variance / 2), sqrt(variance)), mean };
}

function truncatedNormal(mean: number, deviation: number): Distribution {
  if (deviation === 0) return constant(mean);
  const draw = (stream: Stream): number => {
    let x = mean + deviation * stream.normal();
    while (x < 0) x = mean + deviation * stream.normal();
    return Math.round(x);
  };
  return { mean: normalMeanAboveZero(mean, deviation), draw };
}

function empirical(values: readonly Duration[], weights: readonly number[] | undefined, where: string): Distribution {
  const count = Array.isArray(values) ? values.length : 0;
  const shares = weights ?? new Array<number>(count).fill(1);
  const sound =
    Array.isArray(shares) && shares.length === count && shares.every((w) => Number.isSafeInteger(w) && w >= 0);
  const total = sound ? shares.reduce((sum, share) => sum + share, 0) : 0;
  if (!(total >= 1 && Number.isSafeInteger(total))) {
    throw new AssayError({
      what: "An empirical distribution is not a table.",
      where,
      seen: { values, weights },
      expected: "a list of values and, if any, one integer weight >= 0 for each, not all of them 0",
    });
  }
  const table = Float64Array.from(values, (value, i) => microseconds(value, `${where}.values[${i}]`));
  let running = 0;
  const upTo = Float64Array.from(shares, (share) => (running += share));
  const mean = table.reduce((sum, value, i) => sum + (value * shares[i]!) / total, 0);
  return { mean, draw: (stream) => table[firstAbove(upTo, stream.below(total))]! };
}

/** Index of the first entry of an ascending table that is above x. */
function firstAbove(ascending: Float64Array, x: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

function unknownKind(kind: unknown, where: string): AssayError {
  return new AssayError({
    what: "There is no such distribution.",
    where,
    seen: kind,
    expected: Object.keys(PARAMETERS).join(", "),
  });
}

function malformed(spec: unknown, where: string): AssayError {
  return new AssayError({
    what: "This distribution cannot be read.",
    where,
    seen: spec,
    expected: "kind(name=value, name=value)",
    hint: 'write "exponential(mean=20ms)"',
  });
}
