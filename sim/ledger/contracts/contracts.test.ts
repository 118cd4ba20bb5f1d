import { beforeAll, describe, expect, it } from "vitest";
import { type ForgeResult, forgeTests, HONEST, type Mutant } from "../../../scripts/forge.ts";

/** Three defects, two of which lockstep cannot see: it never asks who calls, nor from within what. In one copy, since compiling takes its time. */
const BROKEN: Mutant = [
  // The difference between lock and charge is nobody's.
  ["Escrow.sol", "_release(job.wallet, locked, locked - charge);", "_release(job.wallet, locked, 0);"],
  // The escrow can be called in the middle of a payment.
  [
    "Escrow.sol",
    "function withdraw(uint256 credits) external nonReentrant",
    "function withdraw(uint256 credits) external",
  ],
  // Anybody may give a job's units back.
  ["Escrow.sol", "refund(uint256 jobId) external onlyRole(GATEWAY_ROLE)", "refund(uint256 jobId) external"],
];

describe("the contracts' own tests, by Forge", () => {
  let results: readonly ForgeResult[];
  const of = (name: string): readonly ForgeResult[] => results.filter((result) => result.of === name);
  const broken = (name: string): string[] =>
    of(name)
      .filter(({ passed }) => !passed)
      .map(({ test, reason }) => `${test}: ${reason}`);

  beforeAll(async () => {
    results = await forgeTests({ runs: 12, mutants: { broken: BROKEN } });
  }, 120_000);

  it("hold for the contracts as they are, and many calls got somewhere", () => {
    expect(broken(HONEST)).toEqual([]);
    expect(of(HONEST)).toHaveLength(4);
    const { calls, reverts } = of(HONEST).find(({ test }) => test === "invariant_books")!;
    expect(calls! - reverts!).toBeGreaterThan(500);
  });

  it("find what is planted: a lost difference, a payment that can be called within, a right that anybody has", () => {
    expect(broken("broken").toSorted()).toEqual([
      "invariant_books: outstanding is not what wallets have",
      "test_noPurchaseWithinAWithdrawal: refused for another reason",
      "test_noWithdrawalWithinAWithdrawal: the escrow let itself be called in the middle of a payment",
      "test_strangersMayMoveNothing: a stranger was not refused",
    ]);
  });
});
