/** Numbers and times as a chart or a table shows them. */

export interface TimeUnit {
  readonly name: string;
  readonly microseconds: number;
}

const UNITS: readonly TimeUnit[] = [
  { name: "seconds", microseconds: 1e6 },
  { name: "minutes", microseconds: 60e6 },
  { name: "hours", microseconds: 3_600e6 },
  { name: "days", microseconds: 86_400e6 },
];

/** The largest unit of which a span holds at least three. */
export function timeUnit(span: number): TimeUnit {
  return UNITS.findLast(({ microseconds }) => span >= 3 * microseconds) ?? (UNITS[0] as TimeUnit);
}

/** `1.25 s`, `350 ms`, `80 µs`; `-` for a time that nobody saw. */
export function seconds(time: number): string {
  if (time < 0) return "-";
  if (time < 1_000) return `${time} µs`;
  if (time < 1e6) return `${Number((time / 1_000).toPrecision(3))} ms`;
  return `${time < 1e7 ? (time / 1e6).toFixed(2) : (time / 1e6).toFixed(1)} s`;
}

/** `1 d 1:00:02` */
export function clock(time: number): string {
  const total = Math.floor(time / 1e6);
  const two = (count: number): string => String(count).padStart(2, "0");
  const days = Math.floor(total / 86_400);
  return `${days > 0 ? `${days} d ` : ""}${Math.floor(total / 3_600) % 24}:${two(Math.floor(total / 60) % 60)}:${two(total % 60)}`;
}

/** Hundredths of a unit as units: `1,195.50`. */
export function units(hundredths: number): string {
  const cents = ((hundredths % 100) + 100) % 100;
  const whole = String((hundredths - cents) / 100).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${whole}.${String(cents).padStart(2, "0")}`;
}

/** At most four figures and no long tail: `0.125`, `12.3`. */
export const short = (value: number): string => String(Number(value.toPrecision(4)));

/** A figure beside an axis: `0`, `2.5k`, `−1.2M`. */
export function axisText(value: number): string {
  const size = Math.abs(value);
  const [by, suffix] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${value < 0 ? "−" : ""}${Number((size / by).toPrecision(4))}${suffix}`;
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
