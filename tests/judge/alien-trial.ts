/** The judge, over real HTTP and real HTTPS deliveries, against an alien service that honestly chose otherwise, or has one flaw. */
import {
  DEFAULTS,
  type JudgeSettings,
  judge,
  PATIENCE,
  type Report,
  type TargetOptions,
} from "../../conformance/index.ts";
import type { Choices } from "./alien/choices.ts";
import { FLAWS, type Flaw, type FlawId } from "./alien/flaws.ts";
import { PROFILES } from "./alien/profiles.ts";
import { type Alien, startAlien } from "./alien-server.ts";

export interface AlienTrial {
  /** Of `PROFILES`. */
  readonly profile?: string | undefined;
  readonly choices?: Partial<Choices> | undefined;
  readonly flaw?: FlawId | undefined;
  readonly seed?: number | undefined;
  readonly runs?: number | undefined;
  readonly only?: readonly string[] | undefined;
}

/** The keys of a black box. They are secrets: no report shows them. */
export const ALIEN_KEYS = ["AlienKeyNumberOneOfTwo0123456789", "AlienKeyNumberTwoOfTwo9876543210"].map(
  (letters) => `svc_live_${letters}`,
);
/** Each of their wallets begins with so many units. */
const UNITS = 20_000;

/** An alien service for a trial, and what the judge is told of it. */
export async function prepare(trial: AlienTrial): Promise<{ readonly alien: Alien; readonly options: TargetOptions }> {
  const flaw: Flaw | undefined = trial.flaw === undefined ? undefined : FLAWS[trial.flaw];
  const profile = PROFILES[trial.profile ?? "plain"];
  if (profile === undefined)
    throw new Error(`No profile is called ${trial.profile}: ${Object.keys(PROFILES).join(", ")}.`);
  const alien = await startAlien({
    choices: { ...profile, ...flaw?.choices, ...trial.choices },
    flaws: trial.flaw === undefined ? [] : [trial.flaw],
    keys: Object.fromEntries(ALIEN_KEYS.map((key) => [key, UNITS])),
  });
  const { capabilities, brand } = alien.choices;
  return {
    alien,
    options: {
      baseUrl: alien.url,
      keys: capabilities.includes("wallets") ? [] : ALIEN_KEYS,
      brand,
      ...(capabilities.length > 0 ? { control: { url: alien.controlUrl } } : {}),
      receiver: {},
      maxCredits: 2_000,
      timeout: DEFAULTS.timeout,
      patience: PATIENCE.short,
      seed: trial.seed ?? 1,
      runs: trial.runs ?? DEFAULTS.runs,
      only: trial.only ?? [],
    },
  };
}

/** One run. Without the capability `wallets` it is given two keys, as a black box would be. */
export async function tryAlien(trial: AlienTrial, settings: JudgeSettings = {}): Promise<Report> {
  const { alien, options } = await prepare(trial);
  try {
    return await judge(options, settings);
  } finally {
    await alien.close();
  }
}

export interface FlawResult {
  readonly flaw: FlawId;
  readonly found: boolean;
  /** How far it had to be looked for. */
  readonly scope: "requirement" | "section" | "suite";
  /** The cases that found it. */
  readonly cases: readonly string[];
  /** Other requirements with findings. */
  readonly others: readonly string[];
  /** Why the row had no verdict, and faults of the judge. */
  readonly remarks: readonly string[];
}

/** Looks for a flaw among the cases of its requirement, then (unless `narrow`) in its section, then everywhere. Stops at the first failed case that names it. */
export async function findFlaw(
  flaw: FlawId,
  trial: Omit<AlienTrial, "flaw" | "only"> & { readonly narrow?: boolean } = {},
): Promise<FlawResult> {
  const { row } = FLAWS[flaw];
  const scopes = [
    ["requirement", [row]],
    ["section", [row.split("/")[0] as string]],
    ["suite", []],
  ] as const;
  let result: FlawResult | undefined;
  for (const [scope, only] of trial.narrow === true ? scopes.slice(0, 1) : scopes) {
    const stop = new AbortController();
    const report = await tryAlien(
      { ...trial, flaw, only },
      {
        signal: stop.signal,
        events: {
          ended: (_, findings) => {
            if (findings().some((finding) => finding.requirement === row && !finding.flaky)) stop.abort();
          },
        },
      },
    );
    result = resultOf(flaw, scope, report);
    if (result.found) break;
  }
  return result as FlawResult;
}

function resultOf(flaw: FlawId, scope: FlawResult["scope"], report: Report): FlawResult {
  const { row } = FLAWS[flaw];
  const hits = report.findings.filter((finding) => finding.requirement === row && !finding.flaky);
  const told = report.requirements.find((each) => each.id === row);
  return {
    ...{ flaw, scope, found: hits.length > 0 },
    cases: [...new Set(hits.flatMap((hit) => (hit.cases.length > 0 ? hit.cases : [hit.by])))],
    others: [...new Set(report.findings.map((each) => each.requirement))].filter((id) => id !== row),
    remarks: [
      ...report.faults.map((fault) => `fault in ${fault.case ?? "the run"}: ${fault.message.split("\n")[0]}`),
      ...(hits.length > 0 ? [] : [[told?.status ?? "unselected", ...(told?.reasons ?? [])].join(": ")]),
    ],
  };
}
