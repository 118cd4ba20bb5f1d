/** Places in a scenario and the values that a study puts there. */
import { AssayError, exp, ln } from "../core/index.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
  readonly step?: number;
  readonly count?: number;
  readonly scale?: "linear" | "log";
}

/** The numbers of a range. @throws AssayError where it has none, or no steps */
export function valuesOf({ from, to, step, count, scale = "linear" }: Range, where: string): readonly number[] {
  const wrong = (what: string, expected: string): AssayError =>
    new AssayError({ what, where, seen: { from, to, step, count, scale }, expected });
  if ((step === undefined) === (count === undefined)) throw wrong("A range has no steps.", "either `step` or `count`");
  if (to < from) throw wrong("A range is upside down.", "from <= to");
  if (scale === "log" && (from <= 0 || count === undefined)) {
    throw wrong("A logarithmic range cannot be cut.", "from > 0, and `count`");
  }
  const steps = count === undefined ? Math.floor((to - from) / step! + 1e-9) + 1 : count;
  return Array.from({ length: steps }, (_, index) => {
    if (count === undefined) return tidy(from + index * step!);
    return spread(from, to, index / (count - 1), scale);
  });
}

/** The number at that share of the way from low to high. */
export function spread(low: number, high: number, share: number, scale: "linear" | "log"): number {
  if (share === 0) return low;
  if (share === 1) return high;
  return tidy(scale === "log" ? exp(ln(low) + share * (ln(high) - ln(low))) : low + share * (high - low));
}

/** Twelve digits: 0.1 + 2 * 0.1 is 0.3. */
const tidy = (value: number): number => Number(value.toPrecision(12));

type Step = string | number;

/** @throws AssayError where the text is no path */
export function pathSteps(path: string, where: string): readonly Step[] {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== "") {
    const match = /^(?:\.?([A-Za-z_][\w-]*)|\[(\d+|\*)\])/.exec(rest);
    if (match === null || (steps.length === 0 && match[1] === undefined)) {
      throw new AssayError({
        what: "This is no place in a scenario.",
        where,
        seen: path,
        expected: "names and places in lists, such as clients[0].arrivals.rate or workers[*].slots",
      });
    }
    steps.push(match[1] ?? (match[2] === "*" ? "*" : Number(match[2])));
    rest = rest.slice(match[0].length);
  }
  return steps;
}

/** Puts the value there, in place; what lacks on the way is made. @throws AssayError where a list has no such place */
export function put(into: object, steps: readonly Step[], value: unknown, where: string): void {
  const [step, ...rest] = steps;
  if (Array.isArray(into)) {
    const targets = step === "*" ? [...into.keys()] : [step as number];
    for (const index of targets) {
      if (typeof index !== "number" || !(index in into)) {
        throw new AssayError({
          what: "The scenario has no such place in a list.",
          where,
          seen: String(step),
          expected: into.length === 0 ? "a list that is not empty" : `0 to ${into.length - 1}, or *`,
        });
      }
      if (rest.length === 0) into[index] = structuredClone(value);
      else put(into[index] as object, rest, value, where);
    }
    return;
  }
  const fields = into as Record<string, unknown>;
  const name = String(step);
  if (typeof step !== "string" || step === "*") {
    throw new AssayError({
      what: "The scenario has no list there.",
      where,
      seen: `[${name}]`,
      expected: `one of ${Object.keys(fields).join(", ")}`,
    });
  }
  if (rest.length === 0) fields[name] = structuredClone(value);
  else {
    if (typeof fields[name] !== "object" || fields[name] === null) fields[name] = {};
    put(fields[name] as object, rest, value, where);
  }
}
