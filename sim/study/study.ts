/** A study: from its file to its points, each a scenario of its own with a hash that names it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AssayError, canonicalJson } from "../core/index.ts";
import { formOf } from "../scenario/form.ts";
import { buildScenario, loadScenario, parseScenario } from "../scenario/index.ts";
import { Source } from "../scenario/source.ts";
import { suggest } from "../scenario/suggest.ts";
import { fractionalDesign, fullDesign, latinHypercube } from "./design.ts";
import { pathSteps, put, type Range, spread, valuesOf } from "./factors.ts";
import { CONFIDENCE } from "./interval.ts";
import { findMetric, metrics } from "./metrics.ts";
import { studySchema } from "./study-schema.ts";

export interface Factor {
  readonly name: string;
  readonly path: string | readonly string[];
  readonly unit?: string;
  readonly values?: readonly unknown[];
  /** What the values are called in tables, where they are not plain themselves. */
  readonly labels?: readonly string[];
  readonly range?: Range;
  readonly between?: {
    readonly low: number;
    readonly high: number;
    readonly scale?: "linear" | "log";
    readonly integer?: boolean;
  };
}

interface StudyFile {
  readonly name?: string;
  readonly scenario: string | object;
  readonly seed?: number | string;
  readonly replications?: number;
  readonly common_random_numbers?: boolean;
  readonly warm_up?: string | number;
  readonly confidence?: number;
  readonly design?: "full" | "fractional" | "latin-hypercube";
  readonly points?: number;
  readonly generators?: readonly string[];
  readonly factors: readonly Factor[];
  readonly metrics?: readonly string[];
  readonly compare?: { readonly factor: string; readonly metric: string; readonly better?: "lower" | "higher" };
}

export interface Point {
  readonly index: number;
  /** By name of the factor. */
  readonly factors: Readonly<Record<string, unknown>>;
  /** As plain data. */
  readonly scenario: object;
  /** Of the scenario without name and seed, and of the traces that it replays: 16 hexadecimal digits. */
  readonly hash: string;
}

export interface Study {
  readonly name: string;
  readonly seed: string;
  readonly replications: number;
  readonly commonRandomNumbers: boolean;
  readonly warmUp: "mser5" | number;
  readonly confidence: number;
  readonly factors: readonly Factor[];
  readonly points: readonly Point[];
  readonly metrics: readonly string[];
  readonly compare: StudyFile["compare"] | undefined;
  /** The scenario file, beside which the files lie that it names. */
  readonly base: string;
  readonly trace: string | undefined;
  /** SHA-256 of each recorded trace that is replayed, by absolute path. */
  readonly traces: Readonly<Record<string, string>>;
  /** Names what each replication depends on; how many there are and what is shown of them is not part of it. */
  readonly hash: string;
}

export interface StudyOptions {
  /** CSV file of recorded arrivals; goes before the scenario's own. */
  readonly trace?: string | undefined;
  readonly replications?: number | undefined;
}

export const REPLICATIONS = 20;
export const SHOWN = ["sojourn.mean", "sojourn.p95", "jobs.settledShare", "jobs.refundedShare"];
const checkForm = formOf(studySchema, "study");

/** @throws AssayError where the file cannot be read, its form is wrong, or one of its points is no world that can be run */
export function loadStudy(file: string, options: StudyOptions = {}): Study {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new AssayError({
      what: "The study cannot be read.",
      where: file,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "a YAML file with a scenario and factors",
      hint: "the studies that come with assay lie in scenarios/studies/",
      cause,
    });
  }
  return parseStudy(text, file, options);
}

/** @throws AssayError as `loadStudy` */
export function parseStudy(text: string, file: string, options: StudyOptions = {}): Study {
  const source = new Source(text, file, "study");
  checkForm(source);
  const form = source.data as StudyFile;
  const inline = typeof form.scenario === "object";
  const base = inline ? resolve(file) : resolve(dirname(file), form.scenario as string);
  const scenario = inline ? form.scenario : (loadScenario(base).source.data as object);
  checkWords(form, source);
  const seed = String(form.seed ?? (scenario as { seed?: unknown }).seed ?? 1);
  const rows = combinations(form, source, seed);
  const scenarios = rows.map((values) => {
    const made = structuredClone(scenario) as object;
    for (const [index, factor] of form.factors.entries()) {
      const where = source.where(["factors", index, "path"]);
      for (const path of [factor.path].flat()) put(made, pathSteps(path, where), values[index], where);
    }
    return made;
  });
  const traces = tracesOf(scenarios, base, options.trace);
  const points = scenarios.map((made, index): Point => {
    const factors = Object.fromEntries(
      form.factors.map((factor, at) => [factor.name, labelOf(factor, rows[index]![at])]),
    );
    checkPoint(made, base, options.trace, `${file}, point ${index}: ${tellFactors(factors)}`);
    return { index, factors, scenario: made, hash: scenarioHash(made, Object.values(traces)) };
  });
  const study = {
    seed,
    commonRandomNumbers: form.common_random_numbers ?? true,
    warmUp: form.warm_up === undefined || form.warm_up === "mser5" ? "mser5" : Number(form.warm_up) || 0,
  } as const;
  return {
    ...study,
    name: form.name ?? "study",
    replications: options.replications ?? form.replications ?? REPLICATIONS,
    confidence: form.confidence ?? CONFIDENCE,
    factors: form.factors,
    points,
    metrics: form.metrics ?? SHOWN,
    compare: form.compare,
    base,
    trace: options.trace === undefined ? undefined : resolve(options.trace),
    traces,
    hash: digest({ ...study, points: points.map(({ factors, hash }) => ({ factors, hash })) }),
  };
}

/** `load = 2, policy = random` */
export function tellFactors(factors: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(factors).map(([name, value]) => {
    return `${name} = ${typeof value === "string" ? value : canonicalJson(value)}`;
  });
  return told.length === 0 ? "the scenario as it is" : told.join(", ");
}

export function digest(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}

export function scenarioHash(scenario: object, traces: readonly string[]): string {
  const { name: _name, seed: _seed, ...world } = scenario as { name?: unknown; seed?: unknown };
  return digest({ world, traces });
}

export function tracesOf(
  scenarios: readonly object[],
  base: string,
  given: string | undefined,
): Record<string, string> {
  type Clients = { readonly arrivals?: { readonly process?: string; readonly file?: string } };
  const clients = scenarios.flatMap((each) => (each as { clients?: readonly Clients[] }).clients ?? []);
  const files = clients
    .filter(({ arrivals }) => arrivals?.process === "trace")
    .map(({ arrivals }) =>
      given !== undefined ? resolve(given) : arrivals?.file && resolve(dirname(base), arrivals.file),
    )
    .filter((file) => file !== undefined && file !== "");
  return Object.fromEntries([...new Set(files)].map((file) => [file, hashOfFile(file as string)]));
}

/** SHA-256 of a trace. @throws AssayError where it cannot be read */
export function hashOfFile(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch (cause) {
    throw new AssayError({
      what: "The arrival trace cannot be read.",
      where: file,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "the CSV file that the study replays",
      hint: "give its path with --trace",
      cause,
    });
  }
}

export function checkPoint(scenario: object, base: string, trace: string | undefined, where: string): void {
  try {
    buildScenario(parseScenario(JSON.stringify(scenario), base), { trace });
  } catch (cause) {
    if (!(cause instanceof AssayError)) throw cause;
    // The line is one of text that nobody has written; the path in it is what helps.
    const path = cause.where?.split(", ").slice(1).join(", ");
    throw new AssayError({
      what: `A point of the study is no world that can be run. ${cause.what}`,
      where: path ? `${where}; ${path}` : where,
      seen: cause.seen ?? "the scenario of that point",
      expected: cause.expected ?? "a scenario for every combination of factors",
      hint: cause.hint,
      cause,
    });
  }
}

function labelOf({ values = [], labels }: Factor, value: unknown): unknown {
  return labels === undefined ? value : labels[values.indexOf(value)];
}

/** The value of each factor, point by point. */
function combinations(form: StudyFile, source: Source, seed: string): readonly (readonly unknown[])[] {
  const { factors, design = "full" } = form;
  const names = factors.map(({ name }) => name);
  if (design === "latin-hypercube") {
    if (form.points === undefined)
      throw wrong(source, ["design"], "A Latin hypercube needs `points`.", design, "how many");
    return latinHypercube(names, form.points, seed).map((shares) =>
      shares.map((share, at) => along(factors[at]!, share)),
    );
  }
  const lists = factors.map((factor, index) => listOf(factor, index, source));
  if (design === "full")
    return fullDesign(lists.map(({ length }) => length)).map((point) => point.map((level, at) => lists[at]![level]));
  const many = lists.findIndex(({ length }) => length !== 2);
  if (many >= 0) {
    throw wrong(
      source,
      ["factors", many],
      "A fractional design has two values of each factor.",
      lists[many]!.length,
      "2 values",
    );
  }
  const where = source.where(["generators"]);
  return fractionalDesign(names, form.generators ?? [], where).map((point) =>
    point.map((level, at) => lists[at]![level]),
  );
}

function listOf({ values, range, between }: Factor, index: number, source: Source): readonly unknown[] {
  const where = source.where(["factors", index]);
  if (between !== undefined && values === undefined && range === undefined) {
    throw wrong(source, ["factors", index], "`between` is for a Latin hypercube.", between, "`values` or `range`");
  }
  if ((values === undefined) === (range === undefined)) {
    throw wrong(
      source,
      ["factors", index],
      "A factor has one source of values.",
      { values, range },
      "either `values` or `range`",
    );
  }
  return values ?? valuesOf(range!, where);
}

/** The value of a factor at that share of its way. */
function along({ values, range, between }: Factor, share: number): unknown {
  if (between !== undefined) {
    const value = spread(between.low, between.high, share, between.scale ?? "linear");
    return between.integer === true ? Math.round(value) : value;
  }
  const list = values ?? (range === undefined ? [] : valuesOf(range, "range"));
  return list[Math.floor(share * list.length)];
}

function checkWords(form: StudyFile, source: Source): void {
  const names = form.factors.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0)
    throw wrong(source, ["factors", twice, "name"], "This factor stands twice.", names[twice], "another name");
  for (const [index, factor] of form.factors.entries()) {
    const { values, range, between } = factor;
    if ([values, range, between].filter((each) => each !== undefined).length !== 1) {
      throw wrong(
        source,
        ["factors", index],
        "A factor has one source of values.",
        factor.name,
        "one of values, range, between",
      );
    }
    if (factor.labels !== undefined && factor.labels.length !== values?.length) {
      const expected = `${values?.length ?? 0} labels, one for each of \`values\``;
      throw wrong(
        source,
        ["factors", index, "labels"],
        "Labels and values do not fit.",
        factor.labels.length,
        expected,
      );
    }
    if (between !== undefined && (between.high < between.low || (between.scale === "log" && between.low <= 0))) {
      throw wrong(
        source,
        ["factors", index, "between"],
        "These bounds hold nothing.",
        between,
        "low <= high, above 0 for log",
      );
    }
  }
  if (typeof form.warm_up === "string" && !["mser5", "none"].includes(form.warm_up)) {
    throw wrong(
      source,
      ["warm_up"],
      "This is no rule for the warm-up.",
      form.warm_up,
      "mser5, none or a number of jobs",
    );
  }
  const known = metrics.map(({ name }) => name);
  const shown = (form.metrics ?? []).map((name, index) => [["metrics", index], name] as const);
  const compared = form.compare === undefined ? [] : ([[["compare", "metric"], form.compare.metric]] as const);
  for (const [path, name] of [...shown, ...compared]) {
    if (findMetric(name) === undefined) throw unknownWord(source, path, "There is no such metric.", name, known);
  }
  if (form.compare !== undefined && !names.includes(form.compare.factor)) {
    throw unknownWord(source, ["compare", "factor"], "There is no such factor.", form.compare.factor, names);
  }
}

function unknownWord(
  source: Source,
  path: readonly (string | number)[],
  what: string,
  seen: string,
  known: readonly string[],
): AssayError {
  const near = suggest(seen, known);
  return new AssayError({
    what,
    where: source.where(path),
    seen,
    expected: `one of ${known.join(", ")}`,
    hint: near === undefined ? undefined : `did you mean "${near}"?`,
  });
}

function wrong(
  source: Source,
  path: readonly (string | number)[],
  what: string,
  seen: unknown,
  expected: string,
): AssayError {
  return new AssayError({ what, where: source.where(path), seen, expected });
}
