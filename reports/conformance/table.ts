/** The table of sections: how many of the requirements ended in which way. */
import Table from "cli-table3";
import type { Counts, Report } from "../../conformance/index.ts";
import type { Palette } from "../palette.ts";
import { sectionTitle } from "./sections.ts";

const PLAIN = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: " ",
};

const COLUMNS = ["passed", "failed", "observed", "inconclusive", "not exercised"];

/** One line a section, and a last one for all. */
export function sectionTable(report: Report, colours: Palette): string {
  const table = new Table({
    chars: PLAIN,
    style: { head: [], border: [], "padding-left": 1, "padding-right": 1 },
    colAligns: ["left", "left", "right", "right", "right", "right", "right"],
    head: ["section", "", ...COLUMNS],
  });
  for (const { section, counts } of report.sections) {
    table.push([section, sectionTitle(section), ...cells(counts, colours)]);
  }
  table.push(["", colours.strong("all"), ...cells(report.counts, colours)]);
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

function cells(counts: Counts, colours: Palette): string[] {
  const show = (count: number, colour: (text: string) => string): string =>
    count === 0 ? colours.quiet("-") : colour(String(count));
  const failed = counts.failed + counts.flaky;
  return [
    show(counts.passed, colours.good),
    show(failed, colours.bad),
    show(counts.observed, colours.name),
    show(counts.inconclusive, colours.doubtful),
    show(counts.notExercised, colours.quiet),
  ];
}
