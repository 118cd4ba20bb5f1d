/**
 * Confidence intervals from independent replications. A single run is never a result.
 */
import { type Figures, Station, type StationSpec } from "./station.ts";

export const REPLICATIONS = 20;

/** Two-sided quantiles of Student's t with 19 degrees of freedom, from tables. */
const STUDENT: Readonly<Record<number, number>> = { 95: 2.093, 99: 2.8609, 99.9: 3.8834 };

export interface Interval {
  readonly mean: number;
  readonly halfWidth: number;
}

/** The interval that covers the true mean with this confidence, in per cent, given one value from each replication. */
export function interval(values: readonly number[], confidence: 95 | 99 | 99.9): Interval {
  if (values.length !== REPLICATIONS) throw new RangeError(`the quantiles are those of ${REPLICATIONS} replications`);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const standardError = Math.sqrt(squares / (values.length - 1) / values.length);
  return { mean, halfWidth: STUDENT[confidence]! * standardError };
}

export interface Effort {
  /** Customers per replication that are counted, and those before them that are not. */
  readonly customers: number;
  readonly warmUp: number;
}

/** The figures of replications that differ in their seeds. */
export function replicate(spec: StationSpec, { customers, warmUp }: Effort): Figures[] {
  return Array.from({ length: REPLICATIONS }, (_, replication) => {
    const station = new Station(spec, `validation ${replication}`);
    station.run(warmUp);
    return station.run(customers);
  });
}
