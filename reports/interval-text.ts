/** A figure with its interval, in as many digits as the interval bears out. */
import type { Interval } from "../sim/study/index.ts";

/** `3.52 ± 0.11`; `3.519 (single run)`; `12 ± 0` where all replications agree. */
export function intervalText({ mean, halfWidth, count }: Interval): string {
  if (count === 1) return `${plain(mean)} (single run)`;
  if (halfWidth === 0) return `${plain(mean)} ± 0`;
  const decimals = Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(halfWidth))));
  return `${grouped(mean.toFixed(decimals))} ± ${grouped(halfWidth.toFixed(decimals))}`;
}

/** Four digits, and all of a whole number. */
export function plain(value: number): string {
  if (Number.isInteger(value)) return grouped(String(value));
  return Math.abs(value) >= 1_000 ? grouped(value.toFixed(0)) : String(Number(value.toPrecision(4)));
}

function grouped(text: string): string {
  const [whole, rest] = text.split(".");
  const threes = whole!.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? threes : `${threes}.${rest}`;
}
