/**
 * The judge judged, as far as a test suite has time for it: a part of the planted defects, one for each of many requirements, and the combined honest
 * variants, which between them choose otherwise at every open point. `assay score --seeds 1 2 3` tries all of them.
 */
import { describe, expect, it } from "vitest";
import { score } from "../../bin/score/score.ts";
import type { Trial, TrialResult } from "../../bin/score/trial.ts";
import { defects } from "../../sim/defects/index.ts";
import { variants } from "../../sim/variants/index.ts";

/** Of every so many defects one is tried here; which one moves on with the number of defects. */
const PART = 5;
const COMBINED = ["everything-otherwise", "strict-door", "lenient-door", "slow-chain-with-locked", "bursts-refused"];

const missed = (results: readonly TrialResult[]) => results.filter((result) => !result.ok);

describe("the judge", () => {
  it("finds planted defects, each by its own requirement", async () => {
    const trials = defects
      .filter((_, index) => index % PART === defects.length % PART)
      .map(({ id }): Trial => ({ kind: "defect", id, seed: 1, bail: true }));
    expect(trials.length).toBeGreaterThan(30);
    expect(missed(await score(trials, 2, () => {}))).toEqual([]);
  }, 300_000);

  it("finds a defect over HTTP as it does in process", async () => {
    const [result] = await score(
      [{ kind: "defect", id: "refund-missing", seed: 1, bail: true, http: true }],
      1,
      () => {},
    );
    expect(result).toMatchObject({ ok: true, scope: "requirement" });
  }, 120_000);

  it("accuses no honest variant", async () => {
    const trials = COMBINED.map((id): Trial => ({ kind: "variant", id, seed: 1 }));
    expect(COMBINED.filter((id) => !variants.some((variant) => variant.id === id))).toEqual([]);
    expect(missed(await score(trials, 2, () => {}))).toEqual([]);
  }, 300_000);
});
