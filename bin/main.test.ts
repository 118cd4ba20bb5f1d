/** The command line as a whole: every command, held to the same manners. A new command needs a row in `CHEAP`, or it fails here. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { reportWith } from "../conformance/baseline/report.fixture.ts";
import { readOptions } from "../conformance/index.ts";
import { doctorText } from "../reports/doctor-text.ts";
import { palette } from "../reports/palette.ts";
import { loadScenario } from "../sim/scenario/index.ts";
import { loadStudy } from "../sim/study/index.ts";
import { allCommands, commandNames, commandsFor } from "./commands/index.ts";
import { examine, nodeVersion } from "./doctor.ts";
import { main } from "./main.ts";

let folder = "";
let home = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-main-"));
  home = process.cwd();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  process.exitCode = undefined;
});

/** Runs one command line in process, as if without a terminal. */
async function assay(...argv: readonly string[]) {
  let out = "";
  let err = "";
  const into = (add: (text: string) => void) => (text: unknown) => {
    add(String(text));
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(
      into((text) => {
        out += text;
      }),
    ),
    vi.spyOn(process.stderr, "write").mockImplementation(
      into((text) => {
        err += text;
      }),
    ),
    vi.spyOn(console, "log").mockImplementation((text) => void process.stdout.write(`${text}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => void process.stderr.write(`${text}\n`)),
  ];
  try {
    await main(argv);
    return { out, err, code: process.exitCode ?? 0 };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = undefined;
  }
}

const nameOf = ({ command }: { command: string }): string => command.split(" ", 1)[0]!;
const commands = await allCommands();
const names = commands.map(nameOf);

/** A word for each positional argument that a command cannot do without. */
const given = (name: string): readonly string[] =>
  (commands.find((each) => nameOf(each) === name)!.command.match(/<[^>]+>/g) ?? []).map(() => "x");

/** A value for each option that the last try was told it cannot do without. */
const demanded = (told: string): readonly string[] =>
  (/^Missing required arguments?: (.*)$/m.exec(told)?.[1] ?? "")
    .split(", ")
    .filter(Boolean)
    .flatMap((option) => [`--${option}`, "1", ...(option === "between" ? ["2"] : [])]);

/** What tries a command's --json without much work; a function, where files are needed first. Null: it does not end by itself. */
const CHEAP: Readonly<Record<string, (() => readonly string[]) | null>> = {
  // Its cases run in a test runner, which cannot run within another: tests/package runs it as a program.
  demo: null,
  conform: () => ["--list", "--only", "4.2", "--json"],
  serve: null,
  run: () => [small(), "--json"],
  compare: () => [report("a.json"), report("b.json"), "--json"],
  requirements: () => ["--section", "4.2", "--json"],
  defects: () => ["--section", "4.2", "--json"],
  // Costs a minute at least; bin/score has its own tests.
  score: null,
  sweep: () => [study(), "--out", mkdtempSync(join(folder, "sweep-")), "--json"],
  find: null,
  worker: null,
  replay: () => [small(), "--at", "30s", "--json"],
  verify: () => [small(), "--threads", "1", "--json"],
  diff: () => [small(), small(), "--json"],
  calibrate: () => [trace(), "--rounds", "19", "--json"],
  merge: null,
  fuzz: () => ["--worlds", "1", "--threads", "1", "--json"],
  init: () => ["scenario", join(folder, `new-${Math.floor(performance.now())}.yaml`), "--json"],
  doctor: () => ["--json"],
  schema: () => ["--json"],
};

const small = (): string => {
  const file = join(folder, "small.yaml");
  writeFileSync(
    file,
    "workers: [{ kind: native, count: 1 }]\nclients: [{ name: a, arrivals: { process: poisson, rate: 0.1 } }]\nduration: 1min\n",
  );
  return file;
};

const trace = (): string => {
  const file = join(folder, "trace.csv");
  const at = (i: number): string =>
    new Date(Date.UTC(2026, 0, 1) + 100 * i * i).toISOString().replace("T", " ").slice(0, -1);
  const rows = Array.from({ length: 60 }, (_, i) => `${at(i)},${20 + ((i * 37) % 90)},${5 + ((i * 53) % 70)}`);
  writeFileSync(file, `${["TIMESTAMP,ContextTokens,GeneratedTokens", ...rows].join("\n")}\n`);
  return file;
};

const study = (): string => {
  const file = join(folder, "study.yaml");
  writeFileSync(
    file,
    `scenario: ${small()}\nreplications: 2\nwarm_up: none\nfactors: [{ name: rate, path: "clients[0].arrivals.rate", values: [0.1] }]\n`,
  );
  return file;
};

const report = (name: string): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(reportWith()));
  return file;
};

describe("every command", () => {
  it.each(names)("%s has help with an example and --json and --quiet", async (name) => {
    const { out, code } = await assay(name, "--help");
    expect(out).toContain(`assay ${name}`);
    expect(out).toMatch(/\nExamples:\n {2}assay /);
    expect(out).toMatch(/--json\b/);
    expect(out).toMatch(/--quiet\b/);
    expect(code).toBe(0);
  });

  it.each(names)("%s refuses an option that it does not know, and says which was meant", async (name) => {
    const wrong = [name, ...given(name), "--jsno"];
    const { out, err, code } = await assay(...wrong, ...demanded((await assay(...wrong)).err));
    expect(err).toMatch(/Unknown arguments?: jsno[\s\S]*did you mean --json\?/);
    expect(out).toBe("");
    expect(code).toBe(2);
  });

  it.each(names)("%s prints JSON that can be parsed, and no colours, without a terminal", async (name) => {
    expect(Object.keys(CHEAP)).toContain(name);
    const argv = CHEAP[name]?.();
    // Those that do not end by themselves or cost minutes have tests of their own.
    if (argv === undefined) return;
    const { out, err } = await assay(name, ...argv);
    expect(() => JSON.parse(out), err).not.toThrow();
    const plain = await assay(name, ...(CHEAP[name]?.() ?? []).filter((word) => word !== "--json"));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(`${plain.out}${plain.err}`).not.toMatch(/\u001b\[/);
    expect(plain.out).not.toBe("");
  });
});

describe("the command line", () => {
  it.each([
    ["rnu x", "There is no command of this name.", "did you mean assay run?"],
    ["run --jsn file.yaml", "An argument is missing.", "did you mean --json?"],
    ["run", "assay run <scenario>", "assay run --help"],
    ["run a.yaml --chain anvill", "--chain", "did you mean anvil?"],
    ["init scenaro", "assay init [kind] [file]", "did you mean scenario?"],
    ["demo --defect refund-mising", "--defect", "did you mean refund-missing?"],
    ["schema scenari", "There is no schema", "did you mean scenario?"],
  ])("assay %s tells what was meant", async (line, told, hint) => {
    const { out, err, code } = await assay(...line.split(" "));
    expect(err).toContain(told);
    expect(err).toContain(`try       ${hint}`);
    expect(out).toBe("");
    expect(code).toBe(2);
  });

  it.each([
    ["replay run.ndjson --job seven", "This is not a number.", "--job", "seven"],
    ["fuzz --worlds=ten", "This is not a number.", "--worlds", "ten"],
    ["fuzz --seed 1 --seed 2", "An option is given more than once, and takes one value.", "--seed", "1, 2"],
  ])("assay %s tells what was seen", async (line, told, where, seen) => {
    const { out, err, code } = await assay(...line.split(" "));
    expect(err).toContain(`${told}\n  where     ${where}\n  seen      ${seen}\n`);
    expect(out).toBe("");
    expect(code).toBe(2);
  });

  it("shows what there is to whoever types its name alone", async () => {
    const { out, code } = await assay();
    expect(out).toContain("assay demo");
    expect(code).toBe(0);
  });

  it("names the command that was meant", async () => {
    const { err, code } = await assay("confrom");
    expect(err).toMatchInlineSnapshot(`
      "There is no command of this name.
        where     assay confrom
        seen      confrom
        try       did you mean assay conform?
      "
    `);
    expect(code).toBe(2);
    expect((await assay("xyzzyplugh")).err).toContain("assay --help lists the commands");
  });

  it("loads the command that is asked for and no other, and all where none is named", async () => {
    expect(names).toEqual(commandNames);
    const loaded = async (...argv: readonly string[]): Promise<number | string> => {
      const found = await commandsFor(argv);
      return found.length === 1 ? nameOf(found[0]!) : found.length;
    };
    const completing = ["--get-yargs-completions", "assay"];
    expect(await loaded("run", "serve")).toBe("run");
    expect(await loaded("--quiet", "doctor")).toBe("doctor");
    expect(await loaded(...completing, "conform", "--o")).toBe("conform");
    expect(await loaded("--version")).toBe(0);
    for (const all of [[], ["--help"], ["serf"], [...completing, "serve"]]) {
      expect(await loaded(...all)).toBe(names.length);
    }
  });

  it("lists every command, and the exit codes", async () => {
    const { out } = await assay("--help");
    for (const { command } of commands) expect(out).toContain(`assay ${command}`);
    expect(out).toContain("Exit codes: 0 done");
  });

  it("prints a completion script, and completes ids", async () => {
    const { out } = await assay("completion");
    expect(out).toMatch(/complete .*assay|compdef .*assay/);
    const completed = async (...words: readonly string[]) => {
      const { out: offered, err } = await assay("--get-yargs-completions", "assay", ...words);
      expect(err).toBe("");
      return offered.trim().split("\n");
    };
    expect(await completed("serve", "--defect", "refund-mis")).toEqual(["refund-missing"]);
    expect(await completed("schema", "scen")).toEqual(["scenario"]);
    expect(await completed("conform", "--only", "4.7/window-of")).toContain("4.7/window-of-long");
    expect(await completed("conform", "--ju")).toContain("--junit");
    expect(await completed("run", "--chain", "")).toContain("lockstep");
    expect(await completed("re")).toContain("requirements");
  });
});

describe("assay init", () => {
  const kinds = ["scenario", "target", "study", "ci"];

  it.each(kinds)("writes a first %s, and leaves what is there", async (kind) => {
    const file = join(folder, "fresh", `${kind}.yaml`);
    const { out, code } = await assay("init", kind, file);
    expect(out).toContain(file);
    expect(code).toBe(0);
    writeFileSync(file, "mine");
    const again = await assay("init", kind, file);
    expect(again.err).toContain("The file is there already");
    expect(again.code).toBe(2);
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  it("writes what the commands take", async () => {
    const file = (kind: string): string => join(folder, "taken", `${kind}.yaml`);
    for (const kind of kinds) await assay("init", kind, file(kind));
    expect(loadScenario(file("scenario")).scenario.name).toBe("first world");
    expect(loadStudy(file("study")).points).toHaveLength(6);
    expect(readOptions({}, {}, file("target"))).toMatchObject({ baseUrl: "http://127.0.0.1:8080", maxCredits: 400 });
    expect(parse(readFileSync(file("ci"), "utf8")).jobs.judge.steps.length).toBeGreaterThan(3);
  });

  it("writes where the command is run, unless told", async () => {
    process.chdir(mkdtempSync(join(folder, "here-")));
    try {
      await assay("init");
      expect(existsSync("scenario.yaml")).toBe(true);
    } finally {
      process.chdir(home);
    }
  });
});

describe("assay doctor", () => {
  it("looks at the machine", async () => {
    const found = await examine({ PATH: "", ASSAY_KEY: "svc_live_secret" });
    const state = Object.fromEntries(found.map((each) => [each.name, each.state]));
    expect(state).toMatchObject({ node: "found", sockets: "found", redis: "missing", chromium: "missing" });
    expect(JSON.stringify(found)).toContain("ASSAY_KEY");
    expect(JSON.stringify(found)).not.toContain("secret");
  });

  it("knows a Node.js that is too old", () => {
    expect(nodeVersion("20.19.0").state).toBe("found");
    expect(nodeVersion("22.0.0").state).toBe("found");
    expect(nodeVersion("20.18.3")).toMatchObject({ state: "missing", needed: true });
    expect(nodeVersion("18.20.0").state).toBe("missing");
  });

  it("says what to do about what is missing", () => {
    const plain = palette(false);
    const redis = {
      name: "redis",
      state: "missing",
      seen: "not on the path",
      purpose: "queues",
      needed: false,
    } as const;
    expect(doctorText([nodeVersion("18.0.0"), { ...redis, remedy: "install it" }], plain)).toMatchInlineSnapshot(`
      "missing  node   18.0.0           for everything
      missing  redis  not on the path  for queues
        node: install Node.js 20.19 or newer
        redis: install it
      Something is missing that every command needs.
      "
    `);
    expect(doctorText([nodeVersion("20.20.0")], plain)).toContain("Nothing is missing.");
  });
});
