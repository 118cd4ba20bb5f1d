import { describe, expect, it } from "vitest";
import { AssayError } from "../core/index.ts";
import { buildScenario, loadScenario, parseScenario } from "./index.ts";

const SOUND = `name: small
duration: 1min
workers:
  - kind: native
    count: 2
    models: [grove-8b]
clients:
  - name: chat
    arrivals: { process: poisson, rate: 2 }
    models: { grove-8b: 1 }
`;

/** The message of what is thrown for the sound scenario with one text replaced by another. */
function complaint(from: string, to: string): string {
  expect(SOUND).toContain(from);
  try {
    buildScenario(parseScenario(SOUND.replace(from, to), "small.yaml"));
  } catch (error) {
    if (error instanceof AssayError) return `\n${error.message}\n`;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("scenario files", () => {
  it("become worlds", () => {
    const options = buildScenario(parseScenario(SOUND, "small.yaml"), { seed: 7 });
    expect(options).toMatchObject({ seed: 7, workers: [{ count: 2, class: { kind: "native", models: [4] } }] });
    expect(options.populations?.()).toHaveLength(1);
  });

  it("say what cannot be read", () => {
    expect(() => loadScenario("no/such.yaml")).toThrow("seen      ENOENT");
  });

  it("name place, value and what may stand there: not YAML", () => {
    expect(complaint("  - kind: native", "  - kind: native: x")).toMatchInlineSnapshot(`
      "
      The scenario is not YAML.
        where     small.yaml:4:11
        seen      Nested mappings are not allowed in compact mappings
        try       fields stand one a line as \`name: value\`, lists as \`- item\`, indented by two spaces, not tabs
      "
    `);
  });

  it("name place, value and what may stand there: a field that is not known", () => {
    expect(complaint("    count: 2", "    cuont: 2")).toMatchInlineSnapshot(`
      "
      The scenario has a field that is not known.
        where     small.yaml:5:5, workers[0].cuont
        seen      cuont
        expected  one of name, operator, kind, count, models, slots, stake, first_token, prompt_token_time, token_time, service, dishonest, silent, failing, region, memory, batching, session, cost, cheats, rejoins, clock, works_late
        try       did you mean "count"?
      "
    `);
  });

  it("name place, value and what may stand there: a value that is not known", () => {
    expect(complaint("process: poisson", "process: poison")).toMatchInlineSnapshot(`
      "
      The scenario has a value that is not one of those known.
        where     small.yaml:9:26, clients[0].arrivals.process
        seen      poison
        expected  one of poisson, renewal, deterministic, bursts, daily, closed, trace
        try       did you mean "poisson"?
      "
    `);
  });

  it("name place, value and what may stand there: a wrong kind of value", () => {
    expect(complaint("count: 2", "count: two")).toMatchInlineSnapshot(`
      "
      The scenario has a value of the wrong kind.
        where     small.yaml:5:12, workers[0].count
        seen      two
        expected  integer. How many there are.
      "
    `);
  });

  it("name place, value and what may stand there: out of range", () => {
    expect(complaint("rate: 2", "rate: 0")).toMatchInlineSnapshot(`
      "
      The scenario has a value that is out of range.
        where     small.yaml:9:41, clients[0].arrivals.rate
        seen      0
        expected  > 0. poisson, daily: requests a second, on the mean of a day.
      "
    `);
  });

  it("name place, value and what may stand there: a field that lacks", () => {
    expect(complaint("  - name: chat\n    arrivals", "  - arrivals")).toMatchInlineSnapshot(`
      "
      The scenario lacks a field.
        where     small.yaml:8:5, clients[0]
        seen      arrivals, models
        expected  a field "name"
      "
    `);
  });

  it("name place, value and what may stand there: an unknown model in the mix", () => {
    expect(complaint("{ grove-8b: 1 }", "{ groove-8b: 1 }")).toMatchInlineSnapshot(`
      "
      There is no such model.
        where     small.yaml:10:15, clients[0].models.groove-8b
        seen      groove-8b
        expected  one of summit-70b, summit-70b-reason, ridge-27b, ridge-14b, grove-8b, grove-7b, brook-3b, brook-1.7b
        try       did you mean "grove-8b"?
      "
    `);
  });

  it("name place, value and what may stand there: an unknown model of a worker", () => {
    expect(complaint("models: [grove-8b]", "models: [grove-8b, gpt-4o]")).toMatchInlineSnapshot(`
      "
      There is no such model.
        where     small.yaml:6:24, workers[0].models[1]
        seen      gpt-4o
        expected  one of summit-70b, summit-70b-reason, ridge-27b, ridge-14b, grove-8b, grove-7b, brook-3b, brook-1.7b
      "
    `);
  });

  it("name place, value and what may stand there: a stake below the minimum", () => {
    expect(complaint("count: 2", "count: 2\n    stake: 999")).toMatchInlineSnapshot(`
      "
      A native worker stakes too little.
        where     small.yaml:6:12, workers[0].stake
        seen      999
        expected  1000 tokens or more
      "
    `);
  });

  it("name place, value and what may stand there: a distribution", () => {
    expect(complaint("count: 2", "count: 2\n    first_token: lognormal(median=20ms)")).toMatchInlineSnapshot(`
      "
      The parameters of "lognormal" are wrong.
        where     small.yaml:6:18, workers[0].first_token
        seen      median
        expected  median, sigma; or mean, cv
      "
    `);
  });

  it("name place, value and what may stand there: no end", () => {
    expect(complaint("duration: 1min\n", "")).toMatchInlineSnapshot(`
      "
      These requests never end.
        where     small.yaml:8:15, clients[0].arrivals
        seen      neither duration, until nor requests
        expected  one of them
      "
    `);
  });

  it("name place, value and what may stand there: a trace that is not given", () => {
    expect(complaint("process: poisson, rate: 2", "process: trace")).toMatchInlineSnapshot(`
      "
      The arrival trace is not given.
        where     small.yaml:9:15, clients[0].arrivals
        expected  a CSV file with the columns TIMESTAMP, ContextTokens, GeneratedTokens
        try       give its path with --trace, or as \`file\`
      "
    `);
  });

  it.each([
    ["process: poisson, rate: 2", "process: poisson", 'expected  a field "rate"'],
    ["process: poisson, rate: 2", "process: renewal, gap: 0", "a time above 0"],
    ["arrivals: {", "top_up: { below: 9, units: 99 }\n    arrivals: {", "100 units or more"],
    ["arrivals: {", "max_tokens: few\n    arrivals: {", '1 or more, "none" or "exact"'],
    ["  - name: chat", "  - name: chat\n    arrivals: { process: poisson, rate: 1 }\n  - name: chat", "stands twice"],
    ["process: poisson, rate: 2", "process: trace, file: none.csv", "ENOENT"],
    ["duration: 1min", "duration: soon", "This is not a duration"],
  ])("refuse what does not fit together: %s -> %s", (from, to, said) => {
    expect(complaint(from, to)).toContain(said);
    expect(complaint(from, to)).toMatch(/where +(small\.yaml:\d+:\d+|.*none\.csv)/);
  });
});
