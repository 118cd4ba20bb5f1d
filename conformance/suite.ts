/**
 * The cases as tests of the user's own vitest: one test a case, under its section, and one for the run as a whole. The judge runs as it
 * does from the command line, one case after another; vitest says which of them and shows what they came to.
 *
 * Vitest is handed in rather than imported: two copies of a test runner in one process do not know of each other's tests.
 */
import type { Case } from "./cases/case.ts";
import { cases } from "./cases/index.ts";
import { ConformError } from "./errors.ts";
import type { CaseResult, Finding, Report } from "./findings/report.ts";
import { inOrder, select } from "./harness/plan.ts";
import { run } from "./harness/run.ts";
import { DEFAULTS, type TargetOptions } from "./target/options.ts";
import { PATIENCE } from "./target/patience.ts";

/** A target as short as it can be told: everything but its address has a default. `control` may be its address alone. */
export type SuiteTarget = Pick<TargetOptions, "baseUrl"> &
  Partial<Omit<TargetOptions, "baseUrl" | "control" | "only">> & {
    readonly control?: string | TargetOptions["control"];
  };

/** What is used of vitest. `import * as vitest from "vitest"` fits. */
export interface TestApi {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly test: (
    name: string,
    run: (context: { skip(note: string): never }) => Promise<void>,
    timeout: number,
  ) => unknown;
  readonly afterAll: (run: () => Promise<void>, timeout: number) => unknown;
}

export interface SuiteOptions {
  /** Sections (`4.7`), requirements (`4.7/2`) or cases (`4.7/late`). Default: all. */
  readonly only?: readonly string[];
  /** Default: the globals of `test: { globals: true }`. */
  readonly vitest?: TestApi;
  /** Told of the report once all cases have ended, to write it where it is wanted. */
  readonly onReport?: (report: Report) => void | Promise<void>;
}

/** No limit of the runner's: the judge has its own, on the service's clock. */
const NO_LIMIT = 0;

/**
 * Registers a test for each case of the judge, to be called where tests are defined.
 *
 * A case that fails a requirement fails its test, with each finding, its curl lines and its replay line; so does one that is inconclusive, and one that
 * breaks by a fault of the judge. A case that the target leaves no way to try is skipped, with the reason and what to bring.
 *
 * @param target what is judged, or a function that tells it when the first case begins: after `beforeAll` has started the service
 * @throws ConformError where `only` selects nothing, or there is no vitest
 */
export function conformanceSuite(
  target: SuiteTarget | (() => SuiteTarget | Promise<SuiteTarget>),
  options: SuiteOptions = {},
): void {
  const { describe, test, afterAll } = options.vitest ?? globalApi();
  const only = options.only ?? [];
  let running: Running | undefined;
  const start = async (): Promise<Running> => {
    running ??= begin(optionsOf(typeof target === "function" ? await target() : target, only));
    return running;
  };

  describe("assay conformance", () => {
    for (const [section, members] of bySection(inOrder(select(cases, only)))) {
      describe(section, () => {
        for (const { id, title } of members) {
          test(
            `${id}: ${title}`,
            async ({ skip }) => {
              const { result, findings } = await (await start()).outcome(id);
              if (result.outcome === "not-exercised") skip(result.reason ?? "not exercised");
              if (result.outcome !== "passed") throw new SuiteError(textOf(result, findings));
            },
            NO_LIMIT,
          );
        }
      });
    }
    test(
      "the run as a whole",
      async () => {
        const report = await (await start()).finish();
        await options.onReport?.(report);
        const own = report.findings.filter((finding) => finding.cases.length === 0);
        const faults = report.faults.filter((fault) => fault.case === null).map((fault) => fault.message);
        const wrong = [...own.map(findingText), ...faults];
        if (wrong.length > 0) throw new SuiteError(wrong.join("\n\n"));
        if (report.counts.passed === 0) throw new SuiteError(report.because.join("; "));
      },
      NO_LIMIT,
    );
    // Where the last test was not selected, the run is closed here: its webhooks are deleted, its behaviours lifted.
    afterAll(async () => {
      await running?.finish().catch(() => undefined);
    }, NO_LIMIT);
  });
}

interface Outcome {
  readonly result: CaseResult;
  readonly findings: readonly Finding[];
}

interface Running {
  /** Runs a case, or rejects with what kept the run from beginning. */
  outcome(id: string): Promise<Outcome>;
  /** Ends the run without the cases that nobody asked for. */
  finish(): Promise<Report>;
}

/** A run whose cases wait to be called one by one. */
function begin(options: TargetOptions): Running {
  const outcomes = new Map<string, Outcome>();
  const handed = deferred<ReadonlyMap<string, () => Promise<void>>>();
  const over = deferred<void>();
  const report = run(options, {
    cases,
    command: ["assay conform", options.baseUrl, ...(options.control ? ["--control", options.control.url] : [])].join(
      " ",
    ),
    events: { ended: (result, findings) => void outcomes.set(result.id, { result, findings: findings() }) },
    runner: async (tests) => {
      handed.resolve(new Map(tests.map((each) => [each.name, each.run])));
      await over.promise;
    },
  });
  report.catch((error: unknown) => handed.reject(inWords(error)));
  return {
    async outcome(id) {
      await (await handed.promise).get(id)?.();
      const outcome = outcomes.get(id);
      if (outcome === undefined) throw new SuiteError(`the judge did not plan the case ${id}`);
      return outcome;
    },
    finish() {
      over.resolve();
      return report.catch((error: unknown) => {
        throw inWords(error);
      });
    },
  };
}

function deferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  // Every waiting test is told; that nobody waits any more is no fault.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

function optionsOf(target: SuiteTarget, only: readonly string[]): TargetOptions {
  const { control } = target;
  return {
    keys: [],
    brand: DEFAULTS.brand,
    receiver: {},
    maxCredits: DEFAULTS.maxCredits,
    timeout: DEFAULTS.timeout,
    patience: PATIENCE.short,
    seed: DEFAULTS.seed,
    runs: DEFAULTS.runs,
    ...target,
    only,
    control: typeof control === "string" ? { url: control } : control,
  };
}

/** Neighbours of one section together, in the order of the run. */
function bySection(all: readonly Case[]): readonly (readonly [string, readonly Case[]])[] {
  const sections: [string, Case[]][] = [];
  for (const each of all) {
    const section = each.id.split("/", 1)[0] ?? "";
    const last = sections.at(-1);
    if (last?.[0] === section) last[1].push(each);
    else sections.push([section, [each]]);
  }
  return sections;
}

/** Says everything by its message: where in the judge it was thrown tells nothing of the service. */
class SuiteError extends Error {
  override readonly name = "ConformanceError";

  constructor(message: string) {
    super(message);
    this.stack = `${this.name}: ${message}`;
  }
}

function inWords(error: unknown): unknown {
  if (!(error instanceof ConformError)) return error;
  const { what, where, seen, expected, hint } = error.facts;
  const told = Object.entries({ where, seen, expected, try: hint }).filter(([, value]) => value !== undefined);
  return new SuiteError([what, ...told.map(([name, value]) => `  ${name.padEnd(10)}${String(value)}`)].join("\n"));
}

function textOf({ outcome, reason }: CaseResult, findings: readonly Finding[]): string {
  const head = outcome === "failed" ? [] : [reason === undefined ? outcome : `${outcome}: ${reason}`];
  return [...head, ...findings.map(findingText)].join("\n\n");
}

function findingText(finding: Finding): string {
  const { requirement, title, text, expected, seen, transcript, replay } = finding;
  return [
    `${requirement} ${title}`,
    ...(title === text ? [] : [`  demanded  ${text}`]),
    `  expected  ${expected}`,
    `  seen      ${seen}`,
    ...transcript.map((step) => `  $ ${step.curl.replaceAll("\n", "\n    ")}`),
    `  replay    ${replay}`,
  ].join("\n");
}

function globalApi(): TestApi {
  const found = globalThis as unknown as Partial<TestApi>;
  if (found.describe !== undefined && found.test !== undefined && found.afterAll !== undefined) return found as TestApi;
  throw new ConformError({
    what: "There is no vitest to register the cases with.",
    where: "conformanceSuite(target, { vitest })",
    expected: 'the module: import * as vitest from "vitest", or `globals: true` in the configuration of vitest',
  });
}
