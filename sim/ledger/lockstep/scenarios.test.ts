import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { honestRules } from "../../rules.ts";
import { runWorld } from "../../run.ts";
import { buildScenario, loadScenario } from "../../scenario/index.ts";
import { type AnvilProcess, startAnvil } from "../anvil/index.ts";
import { CHAIN_EPOCH, openChain } from "../modes.ts";

const FOLDER = join(import.meta.dirname, "../../../scenarios");
const scratch = mkdtempSync(join(tmpdir(), "assay-lockstep-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Stands in for the recorded arrivals, which are not part of the project. */
function trace(): string {
  const file = join(scratch, "trace.csv");
  const rows = Array.from({ length: 300 }, (_, i) => {
    const time = new Date(Date.UTC(2023, 10, 16, 18) + i * 700).toISOString().replace("T", " ").replace("Z", "0000");
    return `${time},${100 + ((i * 37) % 3_000)},${1 + ((i * 61) % 900)}`;
  });
  writeFileSync(file, `TIMESTAMP,ContextTokens,GeneratedTokens\n${rows.join("\n")}\n`);
  return file;
}

describe("the project's scenarios in lockstep, their first minutes", () => {
  // One node for all: each run deploys contracts of its own.
  let anvil: AnvilProcess;
  beforeAll(async () => {
    anvil = await startAnvil({ epoch: CHAIN_EPOCH });
  });
  afterAll(() => anvil.stop());

  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"))) {
    it(name, async () => {
      const loaded = loadScenario(join(FOLDER, name));
      const { duration, ...scenario } = loaded.scenario;
      const short = { ...loaded, scenario: duration === undefined ? scenario : { ...scenario, duration: "150s" } };
      const build = () => buildScenario(short, { trace: trace() });
      const memory = await runWorld(build());
      const world = build();
      const chain = await openChain("lockstep", {
        seed: world.seed,
        rules: world.rules ?? honestRules,
        rpc: anvil.url,
      });
      try {
        const both = await runWorld({ ...world, behind: chain.behind });
        await chain.finish();
        expect(both.hash).toBe(memory.hash);
        expect(both.figures).toEqual(memory.figures);
        expect(both.violations).toEqual([]);
      } finally {
        await chain.close();
      }
    });
  }
});
