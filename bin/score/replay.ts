/**
 * Pastes replay lines: each line of a report is read as a shell and `assay` would read it, run again from nothing, and must show the same fault
 * again. What a line leaves out (the defect, the seed, where a counterexample lies) is then truly not known to the second run.
 */
import { Writable } from "node:stream";
import type { Finding, Report } from "../../conformance/index.ts";
import { invariant } from "../../sim/core/index.ts";
import { demo, demoCommand } from "../commands/demo.ts";
import { main } from "../main.ts";

/** One line of a report, pasted. */
export interface Replayed {
  readonly line: string;
  /** Requirement and title of the findings that had this line, and were not found by it again. Empty when it reproduces them all. */
  readonly lost: readonly string[];
}

/** Pastes every distinct line of the findings that were not flaky. */
export async function replayAll(report: Report): Promise<readonly Replayed[]> {
  const lines = new Map<string, Finding[]>();
  for (const finding of report.findings) {
    if (!finding.flaky) lines.set(finding.replay, [...(lines.get(finding.replay) ?? []), finding]);
  }
  const replayed: Replayed[] = [];
  for (const [line, findings] of lines) replayed.push({ line, lost: lostIn(await paste(line), findings) });
  return replayed;
}

/** A finding is found again when one of the same fingerprint, its requirement and title, comes out and is not flaky. */
function lostIn(again: Report, findings: readonly Finding[]): readonly string[] {
  const shown = new Set(again.findings.filter(({ flaky }) => !flaky).map(({ fingerprint }) => fingerprint));
  return findings
    .filter(({ fingerprint }) => !shown.has(fingerprint))
    .map(({ requirement, title }) => `${requirement} ${title}`);
}

/** Runs `assay demo ...`, with the report as JSON instead of words. */
async function paste(line: string): Promise<Report> {
  const [program, ...words] = line.split(" ");
  invariant(program === "assay" && words[0] === "demo", `a trial's replay line is one of assay demo: ${line}`);
  let text = "";
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  let failure: unknown = new Error("the command line was refused");
  const command = {
    ...demoCommand,
    handler: async (options: Parameters<typeof demo>[0]): Promise<void> => {
      try {
        await demo(options, out, {});
        failure = null;
      } catch (error) {
        failure = error;
      }
    },
  };
  await main([...words, "--json"], [command]);
  if (failure !== null) throw failure;
  return JSON.parse(text) as Report;
}
