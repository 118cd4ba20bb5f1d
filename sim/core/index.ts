/** The leaf that every room of the simulator stands on. */
export { canonicalJson } from "./canonical-json.ts";
export { type Distribution, type DistributionSpec, distribution } from "./distribution.ts";
export { type Duration, microseconds } from "./duration.ts";
export { AssayError, type ErrorFacts, EXIT_SOFTWARE, EXIT_USAGE, InvariantError, invariant } from "./errors.ts";
export { exp, ln, pow, sqrt } from "./maths.ts";
export { Stream, stream } from "./stream.ts";
export { HOUR, isoTime, MICROSECOND, MILLISECOND, MINUTE, SECOND, unixSeconds } from "./time.ts";
