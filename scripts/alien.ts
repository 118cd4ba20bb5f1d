/**
 * Tries the judge on the alien service: every honest profile must pass with nothing failed, every flaw must be found by its own requirement.
 *
 *     npx tsx scripts/alien.ts                      everything; prints a table; exits with 1 where something is wrong
 *     npx tsx scripts/alien.ts --profiles           the honest ones
 *     npx tsx scripts/alien.ts --flaws              the flawed ones
 *     npx tsx scripts/alien.ts --flaws --narrow     each among the cases of its requirement only
 *     npx tsx scripts/alien.ts strict third-page-skips --seed 2
 *     npx tsx scripts/alien.ts --flaws --part 2/8 --at-once 3     the second eighth of them, three at once
 *     npx tsx scripts/alien.ts --profiles --only 4.7             one section
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { FLAWS, type FlawId } from "../tests/judge/alien/flaws.ts";
import { PROFILES } from "../tests/judge/alien/profiles.ts";
import { findFlaw, tryAlien } from "../tests/judge/alien-trial.ts";

interface Line {
  readonly ok: boolean;
  readonly name: string;
  readonly seconds: number;
  readonly text: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    profiles: { type: "boolean", default: false },
    flaws: { type: "boolean", default: false },
    narrow: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    runs: { type: "string" },
    part: { type: "string", default: "1/1" },
    "at-once": { type: "string", default: "1" },
    only: { type: "string", multiple: true },
  },
});
const seed = Number(values.seed);
const runs = values.runs === undefined ? undefined : Number(values.runs);
const both = values.profiles === values.flaws;
const isWanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const unknown = positionals.filter((name) => !(name in PROFILES) && !(name in FLAWS));
if (unknown.length > 0) {
  process.stderr.write(`There is no profile or flaw ${unknown.join(", ")}.\n`);
  process.exit(2);
}

async function tryProfile(profile: string): Promise<Line> {
  const began = Date.now();
  const report = await tryAlien({ profile, seed, runs, only: values.only });
  const { passed, failed, inconclusive, notExercised } = report.counts;
  const wrong = [
    ...report.findings.map(
      (each) => `\n    ${each.requirement} ${each.title}: expected ${each.expected}, seen ${each.seen}`,
    ),
    ...report.faults.map((each) => `\n    fault in ${each.case ?? "the run"}: ${each.message}`),
    ...(report.run.cutOff === null ? [] : [`\n    ended early: ${report.run.cutOff}`]),
  ];
  const counts = `${passed} passed, ${failed} failed, ${inconclusive} inconclusive, ${notExercised} not exercised`;
  const text = `${counts}${wrong.join("")}`;
  return { ok: wrong.length === 0, name: profile, seconds: (Date.now() - began) / 1_000, text };
}

async function tryFlaw(flaw: FlawId): Promise<Line> {
  const began = Date.now();
  const { found, scope, cases, others, remarks } = await findFlaw(flaw, { seed, runs, narrow: values.narrow });
  const by = found ? `by ${cases.join(", ")}${scope === "requirement" ? "" : ` (in the ${scope})`}` : "MISSED";
  const besides = others.length === 0 ? "" : `; besides ${others.join(" ")}`;
  const text = [`${FLAWS[flaw].row} ${by}${besides}`, ...remarks].join("\n    ");
  return { ok: found, name: flaw, seconds: (Date.now() - began) / 1_000, text };
}

const all: (() => Promise<Line>)[] = [
  ...(both || values.profiles ? Object.keys(PROFILES) : []).filter(isWanted).map((name) => () => tryProfile(name)),
  ...(both || values.flaws ? (Object.keys(FLAWS) as FlawId[]) : []).filter(isWanted).map((id) => () => tryFlaw(id)),
];
const [part = 1, parts = 1] = values.part.split("/").map(Number);
const trials = all.filter((_, index) => index % parts === part - 1);
const atOnce = Math.min(Number(values["at-once"]), Math.max(1, trials.length));

async function one(trial: () => Promise<Line>): Promise<boolean> {
  const line = await trial();
  const mark = line.ok ? "ok   " : "WRONG";
  process.stdout.write(`${mark} ${line.name.padEnd(28)} ${line.seconds.toFixed(1).padStart(6)} s  ${line.text}\n`);
  return line.ok;
}

/** The same script on its share of the trials: the judge runs once in a process at a time. */
function share(index: number): Promise<boolean> {
  const own = ["--part", `${part + parts * index}/${parts * atOnce}`, "--at-once", "1"];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), ...own], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}

let right = true;
if (atOnce > 1) {
  for (const ok of await Promise.all(Array.from({ length: atOnce }, (_, index) => share(index)))) right &&= ok;
} else for (const trial of trials) right = (await one(trial)) && right;
process.exit(right ? 0 : 1);
