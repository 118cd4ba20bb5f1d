/** The judge, over real HTTP and real HTTPS deliveries, against an alien service that honestly chose otherwise, or has one flaw. */
import { DEFAULTS, judge, PATIENCE, type Report } from "../../conformance/index.ts";
import { type Choices, PROFILES } from "./alien/choices.ts";
import { FLAWS, type Flaw, type FlawId } from "./alien/flaws.ts";
import { startAlien } from "./alien-server.ts";

export interface AlienTrial {
  /** Of `PROFILES`. */
  readonly profile?: string;
  readonly choices?: Partial<Choices>;
  readonly flaw?: FlawId;
  readonly seed?: number;
  readonly runs?: number;
  readonly only?: readonly string[];
}

const KEYS = ["svc_live_AlienKeyNumberOneOfTwo0123456789", "svc_live_AlienKeyNumberTwoOfTwo9876543210"] as const;

/** One run. Without the capability `wallets` it is given two keys, as a black box would be. */
export async function tryAlien(trial: AlienTrial): Promise<Report> {
  const flaw: Flaw | undefined = trial.flaw === undefined ? undefined : FLAWS[trial.flaw];
  const choices: Partial<Choices> = {
    ...PROFILES[trial.profile ?? "plain"],
    ...(flaw?.choices ?? {}),
    ...trial.choices,
  };
  const keys = KEYS.map((key) => key.slice(0, "svc_live_".length + 32));
  const alien = await startAlien({
    choices,
    flaws: trial.flaw === undefined ? [] : [trial.flaw],
    keys: Object.fromEntries(keys.map((key) => [key, 20_000])),
  });
  const { capabilities, brand } = alien.choices;
  try {
    return await judge({
      baseUrl: alien.url,
      keys: capabilities.includes("wallets") ? [] : keys,
      brand,
      ...(capabilities.length > 0 ? { control: { url: alien.controlUrl } } : {}),
      receiver: {},
      maxCredits: 2_000,
      timeout: DEFAULTS.timeout,
      patience: PATIENCE.short,
      seed: trial.seed ?? 1,
      runs: trial.runs ?? DEFAULTS.runs,
      only: trial.only ?? [],
    });
  } finally {
    await alien.close();
  }
}

/** Whether the report has a finding that names the flaw's requirement. */
export function finds(report: Report, flaw: FlawId): boolean {
  return report.findings.some((finding) => finding.requirement === FLAWS[flaw].row && !finding.flaky);
}
