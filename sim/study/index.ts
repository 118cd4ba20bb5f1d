/** From single runs to figures that can be published: metrics, warm-up, intervals, designs. Pure: nothing here starts a thread or reads a clock. */
export { batchBounds, batchesAreTooShort, lagOneCorrelation } from "./batch-means.ts";
export { type Calibrated, type Calibration, calibrate, NEAR } from "./calibration.ts";
export { type Crossing, crossing, deterringLoss, expectedProfit } from "./deterrence.ts";
export { normalQuantile, shareInterval, studentQuantile } from "./distributions.ts";
export { bootstrapP, distanceOf, FAMILIES, type Family, type Fit, fitAll, fitFamily } from "./fit.ts";
export {
  CONFIDENCE,
  type Interval,
  meanInterval,
  meanOf,
  pairedInterval,
  type QuantileInterval,
  quantileInterval,
  quantileOf,
  relativeHalfWidth,
  varianceOf,
} from "./interval.ts";
export { FATE, JobSeries, type Stretch } from "./job-series.ts";
export {
  findMetric,
  type JobMetric,
  jobMetrics,
  type Metric,
  metrics,
  metricsIn,
  type RunMetric,
  runMetrics,
} from "./metrics.ts";
export { isPrecise, type Precision, stillNeeded } from "./precision.ts";
export { type Alternative, differs, type Ranked, rank } from "./ranking.ts";
export {
  pilot,
  type Replication,
  type ReplicationOptions,
  replicate,
  type Values,
  type WarmUpRule,
} from "./replication.ts";
export { type Found, type Look, type SearchOptions, search } from "./search.ts";
export {
  type Factor,
  loadStudy,
  type Point,
  parseStudy,
  REPLICATIONS,
  type Study,
  tellFactors,
} from "./study.ts";
export { studyAt, studyOf } from "./study-of.ts";
export { studySchema } from "./study-schema.ts";
export { byPoint, type PointSummary, ranking, summarise, valuesOfMetric } from "./summary.ts";
export { type Engine, fingerprint, type Outcome, pilotTask, replicationTask, runTask, type Task } from "./task.ts";
export { averageOf, PILOTS, type WarmUp, warmUp } from "./warm-up.ts";
