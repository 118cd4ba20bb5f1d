/** Links: delay, jitter, loss, duplication, bandwidth, partition, clog; and clocks that are not true. */
export { Clock, type ClockSpec } from "./clock.ts";
export { Link, type LinkSpec } from "./link.ts";
export {
  bytesOf,
  LINK_CLASSES,
  type LinkClass,
  Links,
  type LinkTrouble,
  type NetworkPlan,
  type Pair,
} from "./network.ts";
