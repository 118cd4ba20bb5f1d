/**
 * What stands behind the door: everything an endpoint may ask.
 */

import type { BrandNames } from "../../fixtures/protocol/brand.ts";
import { isoTime, MILLISECOND, unixSeconds } from "../core/index.ts";
import type { JobView, Network } from "../port.ts";
import type { Rules } from "../rules.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Door } from "./door.ts";
import type { JobBook, JobRecord } from "./jobs.ts";
import type { Key, KeyRing } from "./keys.ts";
import type { Shape } from "./shape.ts";
import type { WebhookBook } from "./webhook-book.ts";

export interface Inside {
  readonly network: Network;
  readonly rules: Rules;
  readonly seed: string | number;
  readonly brand: BrandNames;
  /** Unix time in milliseconds of the start of the run. */
  readonly epochMs: number;
  readonly shape: Shape;
  readonly door: Door;
  readonly keys: KeyRing;
  readonly jobs: JobBook;
  readonly webhooks: WebhookBook;
  readonly deliveries: Deliveries;
  /** Wallets that the door has opened, by their address in small letters. */
  readonly wallets: Map<string, number>;
  /** Lengths of completions that the test controls have set, by model. */
  readonly outputTokens: Map<number, number>;
}

/** A request that was let in. */
export interface Call {
  readonly key: Key;
  /** What the path's variable segment names; "" where it has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The body as JSON; undefined for methods that have none. */
  readonly body: unknown;
}

/** Virtual time as ISO 8601 UTC, with as many digits as the shape says. */
export function iso(inside: Inside, micros: number): string {
  const text = isoTime(inside.epochMs, micros);
  switch (inside.shape.timestamps) {
    case "milliseconds":
      return text;
    case "seconds":
      return `${text.slice(0, 19)}Z`;
    case "microseconds":
      return `${text.slice(0, 23)}${String(Math.floor(micros) % MILLISECOND).padStart(3, "0")}Z`;
  }
}

/** Virtual time in whole seconds of the Unix era. */
export function unix(inside: Inside, micros: number): number {
  return unixSeconds(inside.epochMs, micros);
}

/** The world's view of a job that was made through the door. */
export function view(inside: Inside, record: JobRecord): JobView {
  return inside.network.job(record.job)!;
}

/** The stablecoin value of units (section 1): one unit is worth 0.01. */
export function usdg(units: number): number {
  return units / 100;
}
