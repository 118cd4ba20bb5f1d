import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runWorld } from "../run.ts";
import { buildScenario, parseScenario } from "../scenario/index.ts";
import { GAS } from "./gas.ts";
import { TX } from "./transaction.ts";

describe("gas", () => {
  it("is what the table tells, which is measured on the contracts", () => {
    const page = readFileSync(new URL("../../docs/gas.md", import.meta.url), "utf8");
    const medians = [...page.matchAll(/^\| [^|]+ \| `[^|]+` \|[^|]+\| +([\d,]+) \|/gm)].map(([, median]) =>
      Number(median!.replaceAll(",", "")),
    );
    // The page's order is that of a job's life.
    const { buy, lock, proof, settle, refund, giveBack, withdraw, dispute, verdict, slash, stake, unstake } = TX;
    const order = [buy, lock, proof, settle, refund, giveBack, withdraw, dispute, verdict, slash, stake, unstake];
    expect(order.map((kind) => GAS[kind])).toEqual(medians);
  });

  it("at a price is paid by who sends, and changes nothing else", async () => {
    const scenario = (price: number) => `
duration: 5min
models: [{ id: a, tier: lite }]
workers: [{ kind: native, count: 2, slots: 4, stake: 1000 }]
clients: [{ name: all, wallets: 3, units: 200, redeem_at: 6min, arrivals: { process: poisson, rate: 0.3 } }]
chain: { gas_price: ${price} }
`;
    const run = (price: number) => runWorld(buildScenario(parseScenario(scenario(price), "gas.yaml")));
    const [free, paid] = [await run(0), await run(1_000)];
    expect(paid.hash).toBe(free.hash);
    const more = (name: string): number => {
      const costs = [paid, free].map(({ figures }) => figures.parties.find((party) => party.name === name)!.costs);
      return costs[0]! - costs[1]!;
    };
    const at = (kind: keyof typeof TX): number => Math.round((1_000 * GAS[TX[kind]]) / 1_000_000);
    const { settled, created } = paid.figures.jobs;
    expect(settled).toBe(created);
    expect(more("native")).toBe(2 * at("stake"));
    expect(more("all")).toBe(3 * at("withdraw"));
    // Each wallet bought its units once.
    expect(more("treasury")).toBe(3 * at("buy") + settled * (at("lock") + at("proof") + at("settle")));
  });
});
