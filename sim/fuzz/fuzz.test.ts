import { describe, expect, it } from "vitest";
import { checkers } from "../checkers/index.ts";
import { plantedDefects, withDefect } from "../planted/index.ts";
import { runWorld } from "../run.ts";
import { buildScenario, parseScenario, scenarioText } from "../scenario/index.ts";
import { MOVES } from "./coverage.ts";
import { CRASH, drawWorld, ENDLESS, features, huntBatch, shrinkFound, tryWorld } from "./index.ts";

const SEED = 1;
const WORLDS = 2_000;
const MOST_JOBS = 5;

describe("the hunt finds every planted defect by its own checker, and makes it small", () => {
  it("of which there are thirty and more, no two alike", () => {
    expect(plantedDefects.length).toBeGreaterThanOrEqual(30);
    expect(new Set(plantedDefects.map(({ id }) => id)).size).toBe(plantedDefects.length);
    const told = plantedDefects.map(({ checker }) => checker);
    expect(told.filter((checker) => checker !== CRASH && !(checker in checkers))).toEqual([]);
  });

  it.each(plantedDefects.map((defect) => [defect.id, defect] as const))("%s", async (id, defect) => {
    const batch = { seed: SEED, first: 0, count: WORLDS, defect: id, checker: defect.checker };
    const { found } = await huntBatch(batch);
    expect(found?.violations[0]?.checker).toBe(defect.checker);
    const small = await shrinkFound(found!, defect);
    expect(small.violation.checker).toBe(defect.checker);
    expect(small.jobs).toBeLessThanOrEqual(MOST_JOBS);

    // Its file shows the same again, and without the defect shows nothing.
    const file = parseScenario(scenarioText(small.scenario, ["found"]), "found.yaml");
    const again = await tryWorld(file.scenario, { defect });
    expect(again.hash).toBe(small.hash);
    expect(again.violations).toContainEqual(small.violation);
    expect((await tryWorld(file.scenario)).violations).toEqual([]);
    if (defect.checker === CRASH) return;
    const { hash, violations } = await runWorld(withDefect(buildScenario(file), defect));
    expect(hash).toBe(small.hash);
    expect(violations).toContainEqual(small.violation);
  });
});

describe("the hunt in an honest simulator", () => {
  it("finds nothing in 300 worlds, in which every feature is drawn and every move is made", async () => {
    const { worlds, found, coverage } = await huntBatch({ seed: SEED, first: 0, count: 300 });
    expect(found).toBeUndefined();
    expect(worlds).toBe(300);
    for (const { name } of features) expect(coverage.features[name], name).toBeGreaterThan(10);
    const never = MOVES.filter((move) => coverage.moves[move] === 0);
    expect(never).toEqual([]);
    // A move that nobody has thought of would stand beside those that are listed.
    expect(Object.keys(coverage.moves).toSorted()).toEqual([...MOVES].toSorted());
  });

  it("draws a world from the seed and its number alone, and another for another", () => {
    expect(drawWorld(SEED, 77)).toEqual(drawWorld(SEED, 77));
    expect(drawWorld(SEED, 77).scenario).not.toEqual(drawWorld(SEED, 78).scenario);
    expect(drawWorld(SEED, 77).scenario).not.toEqual(drawWorld(2, 77).scenario);
  });

  it("runs in files what it has drawn", async () => {
    for (let world = 0; world < 20; world++) {
      const { scenario } = drawWorld("files", world);
      const file = parseScenario(scenarioText(scenario), "drawn.yaml");
      expect(file.scenario).toEqual(scenario);
      expect((await tryWorld(file.scenario)).hash).toBe((await tryWorld(scenario)).hash);
    }
  });
});

it("takes a run without an end, and one that breaks down, for findings", async () => {
  const { scenario } = drawWorld(SEED, 0);
  const endless = await tryWorld(scenario, {
    defect: {
      id: "endless",
      what: "a timer starts itself again for ever",
      checker: ENDLESS,
      plant: ({ kernel }) => {
        const again = kernel.handler(() => kernel.after(1, again));
        kernel.after(0, again);
      },
    },
  });
  expect(endless.violations.map(({ checker }) => checker)).toContain(ENDLESS);
  const crash = await tryWorld(scenario, {
    defect: {
      id: "crash",
      what: "the router throws",
      checker: CRASH,
      plant: ({ router }) => {
        router.seek = () => {
          throw new Error("no");
        };
      },
    },
  });
  expect(crash.violations.at(-1)).toMatchObject({ checker: CRASH, what: "no" });
});
