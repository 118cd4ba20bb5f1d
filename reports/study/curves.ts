/**
 * A metric of a study as curves: along one factor of numbers, one curve for each combination of the others; and where each curve crosses zero, with
 * the bounds that its intervals give.
 */
import type { PointSummary, Study } from "../../sim/study/index.ts";

export interface CurvePoint {
  readonly x: number;
  readonly mean: number;
  /** Infinity where one replication alone says nothing of chance. */
  readonly halfWidth: number;
}

export interface Curve {
  readonly name: string;
  /** The value of the other factor, where there is one and it is a number. */
  readonly at: number | null;
  /** Ascending in x. */
  readonly points: readonly CurvePoint[];
}

export interface Curves {
  readonly along: string;
  readonly unit: string;
  /** The other factors: names, with the unit of a single one. */
  readonly by: string;
  readonly byUnit: string;
  readonly log: boolean;
  readonly curves: readonly Curve[];
}

/** Curves that a drawing can hold apart. */
const MOST_CURVES = 16;

/** Ratio of the largest to the smallest value from which an axis is logarithmic. */
const LOG_FROM = 20;

/** Undefined where no factor is of numbers, or the curves would be too many to look at. */
export function curvesOf(study: Study, summaries: readonly PointSummary[], metric: string): Curves | undefined {
  const valuesOf = (name: string): readonly unknown[] => [
    ...new Set(summaries.map(({ point }) => point.factors[name])),
  ];
  const numeric = study.factors.filter(({ name }) => valuesOf(name).every((value) => typeof value === "number"));
  const along = numeric.toSorted((a, b) => valuesOf(b.name).length - valuesOf(a.name).length)[0];
  if (along === undefined || valuesOf(along.name).length < 2) return undefined;
  const others = study.factors.filter(({ name }) => name !== along.name);
  const groups = new Map<string, { at: number | null; points: CurvePoint[] }>();
  for (const { point, intervals } of summaries) {
    const interval = intervals[metric];
    const name = others.map((factor) => told(point.factors[factor.name])).join(", ");
    const own = others.length === 1 ? point.factors[others[0]?.name ?? ""] : null;
    const group = groups.get(name) ?? { at: typeof own === "number" ? own : null, points: [] };
    groups.set(name, group);
    if (interval === null || interval === undefined) continue;
    group.points.push({ x: point.factors[along.name] as number, mean: interval.mean, halfWidth: interval.halfWidth });
  }
  if (groups.size > MOST_CURVES) return undefined;
  const xs = valuesOf(along.name) as readonly number[];
  return {
    along: along.name,
    unit: unitOf(along.unit),
    by: others.map(({ name }) => name).join(", "),
    byUnit: others.length === 1 ? unitOf(others[0]?.unit) : "",
    log: Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= LOG_FROM,
    curves: [...groups].map(([name, { at, points }]) => ({ name, at, points: points.toSorted((a, b) => a.x - b.x) })),
  };
}

/** Where a curve crosses zero: by its means, and the bounds by the edges of its intervals; null where it does not, or not twice the same way. */
export interface Crossing {
  readonly curve: Curve;
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

export function crossingsOf({ curves, log }: Curves): readonly Crossing[] {
  return curves.flatMap((curve) => {
    const at = crossing(curve, 0, log);
    if (at === null) return [];
    const edges = [crossing(curve, -1, log), crossing(curve, 1, log)];
    const [first, last] = [curve.points[0]?.x ?? at, curve.points.at(-1)?.x ?? at];
    // An edge that never crosses bounds the break-even by no more than where was looked.
    const falls = (curve.points[0]?.mean ?? 0) > 0;
    const lower = edges[falls ? 0 : 1] ?? first;
    const upper = edges[falls ? 1 : 0] ?? last;
    return [{ curve, at, low: Math.min(lower, at), high: Math.max(upper, at) }];
  });
}

/** The only change of sign of the means (0), or of the lower (-1) or upper (1) edges, between points by a straight line. */
function crossing({ points }: Curve, edge: number, log: boolean): number | null {
  const value = ({ mean, halfWidth }: CurvePoint): number => (edge === 0 ? mean : mean + edge * halfWidth);
  const found = points.flatMap((point, index) => {
    const next = points[index + 1];
    if (next === undefined) return [];
    const [a, b] = [value(point), value(next)];
    if (!Number.isFinite(a) || !Number.isFinite(b) || a < 0 === b < 0) return [];
    const share = a / (a - b);
    return [log ? point.x * (next.x / point.x) ** share : point.x + share * (next.x - point.x)];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `1` says that there is no unit. */
export const unitOf = (unit: string | undefined): string => (unit === undefined || unit === "1" ? "" : unit);

export function told(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : JSON.stringify(value ?? null);
}
