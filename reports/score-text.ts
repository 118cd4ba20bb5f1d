/** The judge's own score: which case kills which defect, and what survived. */
import { tableOf } from "./plain-table.ts";

/** What a trial tells, as far as this report reads it. */
export interface ScoredTrial {
  readonly kind: "defect" | "variant";
  readonly id: string;
  readonly seed: number;
  readonly ok: boolean;
  readonly requirement: string | null;
  readonly scope: string;
  readonly cases: readonly string[];
  readonly others: readonly string[];
  readonly remarks: readonly string[];
  /** Replay lines that were pasted, and the findings that they did not show again. */
  readonly replays: number;
  readonly lost: readonly string[];
}

/** The text; with `matrix`, a row a defect with the cases that kill it in every seed. */
export function scoreText(results: readonly ScoredTrial[], matrix = true): string {
  const defects = byId(results.filter((result) => result.kind === "defect"));
  const variants = byId(results.filter((result) => result.kind === "variant"));
  const parts: string[] = [];
  if (matrix && defects.length > 0) {
    parts.push(
      tableOf([
        ["defect", "breaks", "killed", "scope", "cases"],
        ...defects.map((trials) => [
          trials[0].id,
          trials[0].requirement ?? "",
          `${count(trials)}/${trials.length}`,
          unique(trials.map((trial) => trial.scope)).join(", "),
          unique(trials.flatMap((trial) => trial.cases)).join(", "),
        ]),
      ]),
    );
  }
  const survivors = results.filter((result) => result.kind === "defect" && !result.ok);
  const unrepeated = survivors.filter((result) => result.lost.length > 0);
  const missed = survivors.filter((result) => result.lost.length === 0);
  if (missed.length > 0) parts.push(["Survivors:", ...missed.map(survivor)].join("\n"));
  if (unrepeated.length > 0) parts.push(["Not shown again by the replay line:", ...unrepeated.map(unshown)].join("\n"));
  const accused = results.filter((result) => result.kind === "variant" && !result.ok);
  if (accused.length > 0) parts.push(["Honest variants accused:", ...accused.map(accusation)].join("\n"));
  if (defects.length > 0) parts.push(line(defects, "planted defects found, each by its own requirement"));
  const replays = results.reduce((sum, result) => sum + result.replays, 0);
  if (replays > 0) {
    const lost = results.reduce((sum, result) => sum + result.lost.length, 0);
    parts.push(`${replays} replay lines pasted; ${lost === 0 ? "each" : `all but ${lost} findings`} shown again.`);
  }
  if (variants.length > 0) parts.push(line(variants, "honest variants pass with nothing failed"));
  return `${parts.join("\n\n")}\n`;
}

type Trials = readonly [ScoredTrial, ...ScoredTrial[]];

function byId(results: readonly ScoredTrial[]): Trials[] {
  const groups = new Map<string, [ScoredTrial, ...ScoredTrial[]]>();
  for (const result of results) {
    const group = groups.get(result.id);
    if (group === undefined) groups.set(result.id, [result]);
    else group.push(result);
  }
  return [...groups.values()];
}

const count = (trials: Trials): number => trials.filter((trial) => trial.ok).length;
const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

function line(groups: readonly Trials[], what: string): string {
  const whole = groups.filter((trials) => count(trials) === trials.length).length;
  return `${whole} of ${groups.length} ${what} (${groups[0]?.length ?? 0} seeds).`;
}

function survivor({ id, seed, requirement, others, remarks }: ScoredTrial): string {
  const seen = others.length > 0 ? `findings name ${others.join(", ")}` : "no finding";
  return [`  ${id} (seed ${seed}) breaks ${requirement}: ${seen}`, ...remarks.map((remark) => `    ${remark}`)].join(
    "\n",
  );
}

function unshown({ id, seed, lost }: ScoredTrial): string {
  return [`  ${id} (seed ${seed})`, ...lost.map((finding) => `    ${finding}`)].join("\n");
}

function accusation({ id, seed, others, remarks }: ScoredTrial): string {
  return [`  ${id} (seed ${seed})`, ...[...others, ...remarks].map((text) => `    ${text}`)].join("\n");
}
