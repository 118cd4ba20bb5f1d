/**
 * Designs of experiments: which combinations of values are tried. A point is a place in the list of values of each factor, or for a Latin hypercube
 * a share of the way through each.
 */
import { AssayError, stream } from "../core/index.ts";

/** All combinations; the last factor changes fastest. */
export function fullDesign(levels: readonly number[]): readonly (readonly number[])[] {
  return levels.reduce<readonly (readonly number[])[]>(
    (points, count) => points.flatMap((point) => Array.from({ length: count }, (_, level) => [...point, level])),
    [[]],
  );
}

/**
 * A fraction of a two-level design (Box, Hunter and Hunter): the generators set some factors by the product of others, -1 being the first value
 * and +1 the second.
 *
 * @returns for each point the level, 0 or 1, of each factor in the order of `names`
 * @throws AssayError where a generator cannot be read or sets a factor twice
 */
export function fractionalDesign(
  names: readonly string[],
  generators: readonly string[],
  where: string,
): readonly (readonly number[])[] {
  const made = new Map<string, readonly string[]>();
  for (const generator of generators) {
    const match = /^\s*(\w+)\s*=\s*(-?)\s*(\w+(?:\s*\*\s*\w+)*)\s*$/.exec(generator);
    const factors = match?.[3]?.split("*").map((name) => name.trim()) ?? [];
    const target = match?.[1] ?? "";
    const unknown = [target, ...factors].find((name) => !names.includes(name));
    if (match === null || unknown !== undefined || made.has(target) || factors.includes(target)) {
      throw new AssayError({
        what: "A generator cannot be used.",
        where,
        seen: generator,
        expected: `"d = a*b*c" of the factors ${names.join(", ")}, each set once`,
      });
    }
    made.set(target, [match[2] === "-" ? "-" : "+", ...factors]);
  }
  const free = names.filter((name) => !made.has(name));
  const bound = [...made.values()].flatMap((parts) => parts.slice(1)).find((name) => made.has(name));
  if (bound !== undefined) {
    throw new AssayError({
      what: "A generator rests on a factor that is itself set by one.",
      where,
      seen: bound,
      expected: `products of ${free.join(", ")}`,
    });
  }
  return fullDesign(free.map(() => 2)).map((point) => {
    const sign = (name: string): number => (point[free.indexOf(name)] === 1 ? 1 : -1);
    return names.map((name) => {
      const parts = made.get(name);
      if (parts === undefined) return sign(name) === 1 ? 1 : 0;
      const product = parts.slice(1).reduce((so, factor) => so * sign(factor), parts[0] === "-" ? -1 : 1);
      return product === 1 ? 1 : 0;
    });
  });
}

/**
 * A Latin hypercube (McKay, Beckman and Conover, 1979): each factor's way is cut into as many equal parts as there are points, and each part holds
 * one point.
 *
 * @returns for each point a share in [0, 1) for each factor
 */
export function latinHypercube(
  names: readonly string[],
  points: number,
  seed: string | number,
): readonly (readonly number[])[] {
  const columns = names.map((name) => {
    const dice = stream(seed, `factor ${name}`, "latin hypercube");
    const order = dice.shuffle(Array.from({ length: points }, (_, index) => index));
    return order.map((part) => (part + dice.float()) / points);
  });
  return Array.from({ length: points }, (_, point) => columns.map((column) => column[point]!));
}
