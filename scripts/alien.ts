/**
 * Tries the judge on the alien service: every honest profile must pass with nothing failed, every flaw must be found by its own requirement.
 *
 *     npx tsx scripts/alien.ts                      everything; prints a table; exits with 1 where something is wrong
 *     npx tsx scripts/alien.ts --profiles           the honest ones
 *     npx tsx scripts/alien.ts --flaws              the flawed ones
 *     npx tsx scripts/alien.ts --flaws --narrow     each among the cases of its requirement only
 *     npx tsx scripts/alien.ts strict third-page-skips --seed 2
 */
import { parseArgs } from "node:util";
import { PROFILES } from "../tests/judge/alien/choices.ts";
import { FLAWS, type FlawId } from "../tests/judge/alien/flaws.ts";
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
  const report = await tryAlien({ profile, seed, runs });
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

const trials: (() => Promise<Line>)[] = [
  ...(both || values.profiles ? Object.keys(PROFILES) : []).filter(isWanted).map((name) => () => tryProfile(name)),
  ...(both || values.flaws ? (Object.keys(FLAWS) as FlawId[]) : []).filter(isWanted).map((id) => () => tryFlaw(id)),
];
const lines: Line[] = [];
for (const trial of trials) {
  const line = await trial();
  lines.push(line);
  const mark = line.ok ? "ok   " : "WRONG";
  process.stdout.write(`${mark} ${line.name.padEnd(28)} ${line.seconds.toFixed(1).padStart(6)} s  ${line.text}\n`);
}
const wrong = lines.filter(({ ok }) => !ok).map(({ name }) => name);
process.stdout.write(`${lines.length - wrong.length} of ${lines.length} as they should be`);
process.stdout.write(wrong.length === 0 ? ".\n" : `; not so: ${wrong.join(", ")}.\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
