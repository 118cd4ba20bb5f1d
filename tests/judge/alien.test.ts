/**
 * The judge on a service that it does not know, over real HTTP: honest ones that chose otherwise at every open point, and flawed ones. A sample, as far
 * as a test suite has time for it; `npx tsx scripts/alien.ts` tries all profiles and all flaws in full.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { requirements } from "../../fixtures/protocol/requirements/index.ts";
import { FLAWS, type FlawId } from "./alien/flaws.ts";
import { PROFILES } from "./alien/profiles.ts";
import type { Job, Outcome } from "./alien-child.ts";

/** Quick cases that between them meet most open points. */
const QUICK = [
  ...["2.1/top-ups", "2.1/spent-after-top-up", "2.3/settled", "2.4/completion", "2.5/same-job"],
  ...["4.1/stream", "4.1/null", "4.1/two-faults", "4.5/other-wallet", "4.6/unknown-values"],
  ...["4.7/equal", "4.7/second", "4.7/settling", "4.8/create", "4.9/list", "4.10/delete", "4.11/completion"],
  ...["4.11/stream", "5/named-wallet", "5/malformed", "6/subscriptions", "7/object", "7.2/shortage", "8/low-credit"],
];
/** Profiles, and longer cases of which each is asked one or two: where its choices show. */
const MANUAL: Readonly<Record<string, readonly string[]>> = {
  "slow-chain": ["4.1/overlapping", "6.1/completed"],
  strict: ["4.6/odd-limits", "4.1/extra-fields"],
  lenient: ["3.1/verdict-fraudulent", "4.6/walk"],
  "early-teller": ["4.6/cursors", "concurrency/returns"],
  "odd-streams": ["4.1/broken-stream", "6.1/completed"],
  narrow: ["4.1/many-messages", "7.1/content-types", "3.1/life"],
  "stern-court": ["3.1/no-verdict", "1/failed-is-free", "4.1/in-flight"],
};
const HONEST: readonly Job[] = [
  ...Object.entries(MANUAL).map(([profile, more]) => ({ profile, only: [...QUICK, ...more], runs: 5 })),
  { profile: "black-box", only: ["2.1", "4.5", "4.8", "5/malformed"], runs: 3 },
];

/** Flaws, and a case that must find each. */
const SAMPLE: readonly (readonly [flaw: FlawId, found: string])[] = [
  ["third-page-skips", "4.6/maximum"],
  ["foreign-cursor", "4.6/other-wallet"],
  ["topup-frees-locks", "4.1/locked-after-topup"],
  ["lock-after-pause", "4.1/spent-once"],
  ["exact-balance-short", "5/price-and-balance"],
  ["disputed-listed-settled", "4.6/holds-every-job"],
  ["left-not-refunded", "3.1/refunded-client-gone"],
  ["window-61", "4.7/window"],
  ["dishonest-unfound", "4.7/dishonest"],
  ["dispute-races", "4.7/second"],
  ["key-cached", "3.3/revoked"],
  ["role-late", "4.1/stream"],
  ["low-at-threshold", "8/low-credit"],
  ["redirect-counts", "6.4/failures"],
  ["stale-signature", "6.4/schedule"],
  ["submitted-at-the-end", "6.1/as-it-happens"],
  ["browser-dearer", "2.3/new-workers"],
];
const FLAWED = SAMPLE.map(([flaw, found]): Job => ({ flaw, only: [found], runs: 10 }));

const REPLAYED: readonly Job[] = [
  { flaw: "second-dispute-anew", only: ["4.7/second"], replay: true },
  { flaw: "cursor-forgets-status", only: ["4.6/any-query"], replay: true },
];
/** A black box, whose keys are given; the flaw makes findings with transcripts. */
const GIVEN: Job = { profile: "black-box", flaw: "unknown-job-html", only: ["4.5", "4.8", "7/secrets"], runs: 3 };

const JOBS = [...HONEST, ...FLAWED, ...REPLAYED, GIVEN];
const outcomes = new Map<Job, Outcome>();
const of = (job: Job | undefined): Outcome => {
  const outcome = job === undefined ? undefined : outcomes.get(job);
  if (outcome === undefined) throw new Error("the job was not tried");
  return outcome;
};

/** One of two processes that share the work, as the judge runs once in a process at a time. */
async function tryAll(jobs: readonly Job[]): Promise<void> {
  const child = new URL("./alien-child.ts", import.meta.url).pathname;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--import", "tsx", child, JSON.stringify(jobs)], {
    maxBuffer: 2 ** 26,
  });
  const lines = stdout.trimEnd().split("\n");
  jobs.forEach((job, index) => {
    outcomes.set(job, JSON.parse(lines[index] ?? "null") as Outcome);
  });
}

beforeAll(async () => {
  await Promise.all([0, 1].map((half) => tryAll(JOBS.filter((_, index) => index % 2 === half))));
}, 600_000);

describe("the judge on an honest service that it does not know", () => {
  it.each(HONEST.map((job) => [job.profile, job] as const))("accuses nobody: %s", (_, job) => {
    expect(of(job).wrong).toEqual([]);
    expect(of(job).passed).toBeGreaterThan(job.profile === "black-box" ? 10 : 100);
  });
});

describe("the judge on a service with one flaw", () => {
  it.each(FLAWED.map((job) => [job.flaw as FlawId, job] as const))("finds %s", (flaw, job) => {
    expect(of(job).found).toContain(FLAWS[flaw].row);
  });

  it("has flaws for many requirements, each of which there is", () => {
    const rows = new Set<string>(Object.values(FLAWS).map(({ row }) => row));
    const known = new Set<string>(requirements.map(({ id }) => id));
    expect([...rows].filter((row) => !known.has(row))).toEqual([]);
    expect(rows.size).toBeGreaterThanOrEqual(80);
    expect(Object.keys(PROFILES).length).toBeGreaterThanOrEqual(12);
  });
});

describe("a finding over HTTP", () => {
  it.each(REPLAYED.map((job) => [job.flaw, job] as const))("is shown again by its replay line: %s", (_, job) => {
    expect(of(job).replayed).toBeGreaterThan(0);
    expect(of(job).lost).toEqual([]);
  });

  it("shows no key and no webhook's secret, given or made", () => {
    expect(of(GIVEN).found).not.toEqual([]);
    for (const job of [...REPLAYED, GIVEN]) {
      expect(of(job).secrets).toBeGreaterThan(0);
      expect(of(job).shown).toBe(0);
    }
  });
});
