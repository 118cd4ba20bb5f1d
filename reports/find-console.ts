/** Where a metric crosses a target, for people at a terminal. */
import { type Found, findMetric } from "../sim/study/index.ts";
import { intervalText, plain } from "./interval-text.ts";
import type { Palette } from "./palette.ts";
import { tableOf } from "./plain-table.ts";

export interface FoundResult extends Found {
  readonly path: string;
  readonly metric: string;
  readonly target: number;
  readonly confidence: number;
}

export function renderFound(found: FoundResult, file: string, colours: Palette): string {
  const { path, metric, target, estimate, low, high, rises, looks, confidence } = found;
  const unit = findMetric(metric)?.unit ?? "1";
  const goal = `${plain(target)}${unit === "1" ? "" : ` ${unit}`}`;
  const words = { "-1": "below", "0": "not distinguishable", "1": "above" } as const;
  const runs = looks.reduce((sum, { interval }) => sum + interval.count, 0);
  return `${[
    `${colours.strong(`${path} = ${plain(estimate)}`)}  ${colours.quiet(file)}`,
    `${metric} ${rises ? "rises above" : "falls below"} ${goal} between ${plain(low)} and ${plain(high)}, with ${Number((confidence * 100).toPrecision(3))} % confidence for all looks together`,
    `${looks.length} places, ${runs} runs`,
    "",
    tableOf([
      [path, metric, "runs", `against ${goal}`],
      ...looks.map(({ at, interval, side }) => [
        plain(at),
        intervalText(interval),
        String(interval.count),
        words[String(side) as keyof typeof words],
      ]),
    ]),
  ].join("\n")}\n`;
}
