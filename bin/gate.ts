/** What a gate in CI adds to a run: files for machines, and a baseline of known failures. */
import { readFileSync } from "node:fs";
import type { Argv } from "yargs";
import {
  baselineOf,
  ConformError,
  type Finding,
  holdAgainst,
  parseBaseline,
  type Report,
} from "../conformance/index.ts";
import { badgeJson, badgeSvg, toAnnotations, toMarkdown } from "../reports/ci/index.ts";
import { conformanceHtml } from "../reports/conformance/html/page.ts";
import { reportJson } from "../reports/conformance/index.ts";
import { AssayError } from "../sim/core/index.ts";
import { mustBeWritable, writeWhole } from "./whole-file.ts";

export interface GateOptions {
  readonly json?: string;
  readonly html?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly badge?: string;
  readonly annotations?: boolean;
  readonly baseline?: string;
  readonly writeBaseline?: string;
}

/** The flags, added to a command. */
export function gateFlags<T>(yargs: Argv<T>): Argv<T> {
  const file = (describe: string) => ({ type: "string", requiresArg: true, describe }) as const;
  return yargs
    .option("html", file("Write the report as one HTML page to this file"))
    .option("junit", file("Write the report as JUnit XML to this file"))
    .option("markdown", file("Write the report as Markdown to this file"))
    .option("badge", file("Write a status badge to this file: SVG, or with the ending .json for shields.io"))
    .option("annotations", { type: "boolean", describe: "Print the findings as GitHub annotations" })
    .option("baseline", file("Known failures: only new ones and stale entries fail the run"))
    .option("write-baseline", file("Write the failures of this run as a baseline")) as Argv<T>;
}

export interface Gate {
  /** Writes every file that was asked for; resolves to what is said of the baseline, what goes to stdout for a machine, and the exit code. */
  close(report: Report): Promise<{ readonly told: string; readonly annotations: string; readonly exitCode: number }>;
}

/** Reads the baseline and looks whether the files can be written, before a run begins whose result would be lost. */
export function openGate(options: GateOptions): Gate {
  const { badge, baseline, json, html, junit, markdown, writeBaseline } = options;
  for (const [flag, file] of Object.entries({ badge, json, html, junit, markdown, "write-baseline": writeBaseline })) {
    if (file !== undefined && file !== "") mustBeWritable(`--${flag}`, file);
  }
  const known = baseline === undefined ? undefined : readBaseline(baseline);
  return {
    async close(report) {
      const held = known === undefined ? undefined : holdAgainst(report, known);
      const spared = held?.known ?? [];
      const files: readonly (readonly [string | undefined, () => string | Promise<string>])[] = [
        [json === "" ? undefined : json, () => reportJson(report)],
        [html, () => conformanceHtml(report)],
        // The XML library is loaded for those who want XML.
        [junit, async () => (await import("../reports/ci/junit.ts")).toJUnit(report, spared)],
        [markdown, () => toMarkdown(report, spared)],
        [badge, () => (badge?.endsWith(".json") ? badgeJson(report) : badgeSvg(report))],
        [writeBaseline, () => `${JSON.stringify(baselineOf(report), null, 2)}\n`],
      ];
      for (const [file, text] of files) if (file !== undefined) writeWhole(file, await text());
      const annotations = options.annotations === true ? toAnnotations(report, spared) : "";
      if (held === undefined) return { told: "", annotations, exitCode: report.exitCode };
      const lines = [
        `baseline ${baseline}: ${held.known.length} known, ${held.fresh.length} new, ${held.stale.length} stale`,
        ...held.fresh.map(
          (finding: Finding) => `  new    ${finding.requirement} ${finding.title} (${finding.fingerprint})`,
        ),
        ...held.stale.map((entry) => `  stale  ${entry.requirement} no longer fails: remove it from the baseline`),
        ...held.undecided.map((entry) => `  ?      ${entry.requirement} was not decided by this run`),
      ];
      return { told: `${lines.join("\n")}\n`, annotations, exitCode: held.exitCode };
    },
  };
}

function readBaseline(file: string) {
  try {
    return parseBaseline(readFileSync(file, "utf8"), file);
  } catch (error) {
    if (error instanceof ConformError) throw new AssayError(error.facts);
    throw new AssayError({
      what: "The baseline cannot be read.",
      where: `--baseline ${file}`,
      seen: (error as Error).message,
      hint: `write a first one: assay conform <base-url> --write-baseline ${file}`,
    });
  }
}
