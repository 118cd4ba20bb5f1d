import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConformError } from "../errors.ts";
import { settingsSchema } from "./setting-table.ts";
import { readOptions } from "./settings.ts";

const file = (name: string, text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), "assay-settings-")), name);
  writeFileSync(path, text);
  return path;
};

/** The facts of the error that reading throws. */
function refusal(...given: Parameters<typeof readOptions>): ConformError["facts"] {
  try {
    readOptions(...given);
  } catch (error) {
    if (error instanceof ConformError) return error.facts;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the settings of a run", () => {
  it("come from flags before the environment, and from it before the file", () => {
    const config = file("assay.yaml", "base-url: https://file.test\nseed: 3\nbrand: acme\nkey: [a, b]\n");
    const env = { ASSAY_SEED: "2", ASSAY_BASE_URL: "https://env.test", ASSAY_KEY: "from-env" };
    expect(readOptions({ seed: 1, only: [] }, env, config)).toMatchObject({
      baseUrl: "https://env.test",
      seed: 1,
      brand: "acme",
      keys: ["from-env"],
      only: [],
    });
  });

  it("have defaults, and units: seconds outside, milliseconds inside", () => {
    expect(readOptions({ "base-url": "http://x.test" }, {}, undefined)).toMatchObject({
      brand: "service",
      maxCredits: 400,
      timeout: 600_000,
      seed: 1,
      runs: 25,
      keys: [],
      patience: { each: 15_000 },
    });
    expect(readOptions({ "base-url": "http://x.test", timeout: 2.5, receiver: false }, {}, undefined)).toMatchObject({
      timeout: 2_500,
      receiver: false,
    });
  });

  it("read several keys from one variable, each once", () => {
    expect(readOptions({ "base-url": "http://x.test" }, { ASSAY_KEYS: "a, b,a" }, undefined).keys).toEqual(["a", "b"]);
  });

  it("name the flag, the variable or the line of what is wrong", () => {
    expect(refusal({ "base-url": "http://x.test", runs: 0 }, {}, undefined)).toMatchObject({
      where: "--runs",
      seen: 0,
      expected: "an integer, at least 1",
    });
    expect(refusal({}, { ASSAY_MAX_CREDITS: "many" }, undefined)).toMatchObject({
      where: "$ASSAY_MAX_CREDITS",
      seen: "many",
    });
    const typo = file("assay.yaml", "base-url: http://x.test\nsede: 1\n");
    expect(refusal({}, {}, typo)).toMatchObject({ where: `${typo}:2 sede`, seen: "sede" });
    const wrong = file("assay.json", `{\n  "base-url": "http://x.test",\n  "seed": "one"\n}`);
    expect(refusal({}, {}, wrong)).toMatchObject({
      where: `${wrong}:3 seed`,
      seen: "one",
      expected: "an integer, at least 0",
    });
    expect(refusal({}, {}, file("broken.yaml", "a: [1"))).toMatchObject({
      what: "The settings file is neither YAML nor JSON.",
    });
    expect(refusal({}, {}, "/nowhere.yaml")).toMatchObject({ what: "The settings file cannot be read." });
    expect(refusal({}, {}, undefined).what).toContain("Which service?");
  });

  it("show no secret that is malformed", () => {
    expect(refusal({ "base-url": "http://x.test", "control-token": 5 }, {}, undefined).seen).toBe("(not shown)");
  });

  it("are described by the published schema", () => {
    const published = JSON.parse(readFileSync(new URL("../settings.schema.json", import.meta.url), "utf8"));
    expect(published).toEqual(settingsSchema());
  });
});
