/** Links: delay, jitter, loss, duplication, partition. */
export { Link, type LinkSpec } from "./link.ts";
