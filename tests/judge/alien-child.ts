/**
 * Tries the judge on alien services in a process of its own, as the judge's test runner does not run inside another. Takes an array of `Job` as JSON;
 * writes a line of JSON for each.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../bin/main.ts";
import { replayCommand } from "../../bin/replay-line.ts";
import { judge, type Report } from "../../conformance/index.ts";
import { type AlienTrial, prepare } from "./alien-trial.ts";

export interface Job extends AlienTrial {
  /** Paste the replay line of each finding, too. */
  readonly replay?: boolean;
}

export interface Outcome {
  readonly passed: number;
  /** Requirements of the findings that were not flaky. */
  readonly found: readonly string[];
  /** What went wrong, for people: findings with what was expected and seen, and faults of the judge. */
  readonly wrong: readonly string[];
  /** Secrets of the service, and how many of them the report shows. */
  readonly secrets: number;
  readonly shown: number;
  /** Replay lines that were pasted, and those that did not show their finding again. */
  readonly replayed: number;
  readonly lost: readonly string[];
}

async function tryOne(job: Job): Promise<Outcome> {
  const { alien, options } = await prepare(job);
  try {
    const report = await judge(options, { command: replayCommand(options, undefined) });
    const text = JSON.stringify(report);
    const secrets = alien.secrets();
    const lines = job.replay === true ? [...new Set(report.findings.map(({ replay }) => replay))] : [];
    const lost: string[] = [];
    for (const line of lines) {
      const again = new Set((await paste(line)).findings.map(({ fingerprint }) => fingerprint));
      if (report.findings.some((each) => each.replay === line && !again.has(each.fingerprint))) lost.push(line);
    }
    return {
      passed: report.counts.passed,
      found: report.findings.filter(({ flaky }) => !flaky).map(({ requirement }) => requirement),
      wrong: [
        ...report.findings.map(
          (each) => `${each.requirement} ${each.title}: expected ${each.expected}, seen ${each.seen}`,
        ),
        ...report.faults.map((each) => `fault in ${each.case ?? "the run"}: ${each.message}`),
      ],
      secrets: secrets.length,
      shown: secrets.filter((secret) => text.includes(secret)).length,
      replayed: lines.length,
      lost,
    };
  } finally {
    await alien.close();
  }
}

/** Runs a line as a shell reads it. */
async function paste(line: string): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "alien-"));
  const file = join(folder, "report.json");
  try {
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${line.slice("assay ".length)}`]).toString();
    const write = process.stdout.write;
    process.stdout.write = () => true;
    try {
      await main([...words.trimEnd().split("\n"), "--json", file, "--quiet"]);
    } finally {
      process.stdout.write = write;
    }
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const jobs = JSON.parse(process.argv[2] ?? "[]") as readonly Job[];
for (const job of jobs) process.stdout.write(`${JSON.stringify(await tryOne(job))}\n`);
process.exit(0);
