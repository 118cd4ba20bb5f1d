/** A study for tests of its page: a metric that is a function of two factors. */
import type { PointSummary, Study } from "../../sim/study/index.ts";

export const RATES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
export const SLASHES = [10, 100, 1_000];

const factor = (name: string, unit: string) => ({ name, path: name, unit });

/** A study whose metric is a function of its two factors; the rest is what a page asks for. */
export function studyOf(
  metric: (rate: number, slash: number) => number,
  halfWidth = 0.5,
  metricName = "party.junk.perCheat",
) {
  const points = RATES.flatMap((rate) => SLASHES.map((slash) => ({ rate, slash })));
  const summaries = points.map(
    ({ rate, slash }, index) =>
      ({
        point: { index, factors: { rate, slash }, scenario: {}, hash: "" },
        replications: 20,
        warmUp: { jobs: 0, settled: true },
        intervals: { [metricName]: { mean: metric(rate, slash), halfWidth, count: 20, confidence: 0.95 } },
      }) satisfies PointSummary,
  );
  const study = {
    name: "<i>fraud</i>",
    seed: "1",
    replications: 20,
    commonRandomNumbers: true,
    warmUp: 0,
    confidence: 0.95,
    factors: [factor("rate", "1"), factor("slash", "tokens")],
    points: summaries.map(({ point }) => point),
    metrics: [metricName],
    compare: undefined,
    hash: "0123456789abcdef",
  } as unknown as Study;
  return { study, summaries };
}
