/**
 * The judge with the settlement chain in its hands: what a service tells of a transaction is looked up through JSON-RPC, and each way of telling
 * something else than what is there is found out. (`assay score` has no chain: these defects are tried here.)
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import type { Trial } from "./chain-trial.ts";

const PROGRAM = fileURLToPath(new URL("./chain-trial.ts", import.meta.url));

/** What gives each lie away: the requirement, and the finding's title. */
const GIVEN_AWAY: Readonly<Record<string, readonly [requirement: string, title: RegExp]>> = {
  "a settlement that does not exist": ["1/4", /the settlement is not on the chain/],
  "a settlement that failed": ["1/4", /the settlement is not on the chain/],
  "a settlement that went elsewhere": ["1/4", /the settlement did not go through the escrow contract/],
  "a settlement in another block": ["2.3/24", /./],
  "a settlement before its lock": ["1/4", /settled on the chain before its units are locked/],
  "a lock that does not exist": ["1/4", /the escrow lock is not on the chain/],
  "a refund that does not exist": ["1/4", /the refund is not on the chain/],
  "a dispute that failed": ["1/4", /the dispute is not on the chain/],
};

describe("the judge with the chain's endpoint", () => {
  let trials: readonly Trial[] = [];
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", PROGRAM]);
    trials = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }, 120_000);

  it.each(["memory", "anvil"] as const)("accuses no honest service on %s, and has seen the chain", (chain) => {
    const honest = trials.find((trial) => trial.chain === chain && trial.lie === undefined);
    expect(honest?.findings).toEqual([]);
    expect(honest?.statuses).toMatchObject({ "1/4": "passed", "2.3/24": "passed" });
  });

  it.each(Object.entries(GIVEN_AWAY))("finds a service that names %s", (lie, [requirement, title]) => {
    const found = trials.find((trial) => trial.chain === "memory" && trial.lie === lie)?.findings ?? [];
    expect(found.some((finding) => finding.requirement === requirement && title.test(finding.title))).toBe(true);
  });

  it("finds the same lies on contracts", () => {
    const onAnvil = trials.filter(({ chain, lie }) => chain === "anvil" && lie !== undefined);
    expect(onAnvil).toHaveLength(2);
    for (const { lie, findings } of onAnvil) {
      expect(findings.map(({ requirement }) => requirement)).toContain(GIVEN_AWAY[lie!]![0]);
    }
  });
});
