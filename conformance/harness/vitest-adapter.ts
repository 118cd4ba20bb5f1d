/**
 * The one door to the test runner. Builds suites from the table of cases, one a section, and runs them in order; the runner keeps the
 * bookkeeping of suites, tests and their states.
 */
import { type File, startTests, suite, type Task, test, type VitestRunner } from "@vitest/runner";

/** One test: its suite, its name and what it does. It throws when it fails. */
export interface Runnable {
  readonly suite: string;
  readonly name: string;
  /** Whether it may run at the same time as its neighbours that may. */
  readonly beside?: boolean | undefined;
  readonly run: () => Promise<void>;
}

const TABLE = "cases";

/** So many cases wait for their answers at the same time: few enough for a network with a worker or two. */
const SIDE_BY_SIDE = 6;

/** Runs all, one after another, but neighbours of one suite that may run beside each other. Resolves when the last has ended. A case never fails its test: a test that throws is a fault of the judge. */
export async function runWithVitest(tests: readonly Runnable[]): Promise<void> {
  const runner: VitestRunner = {
    config: {
      root: process.cwd(),
      setupFiles: [],
      name: "assay conform",
      passWithNoTests: true,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { shuffle: false, concurrent: false, seed: 0, hooks: "stack", setupFiles: "list" },
      chaiConfig: undefined,
      maxConcurrency: SIDE_BY_SIDE,
      // The judge has its own limits, on the service's clock: the runner's would blame a case for a slow target.
      testTimeout: 0,
      hookTimeout: 0,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: () => {
      for (const [section, members] of bySuite(tests)) {
        suite(section, () => {
          for (const each of members) test(each.name, { concurrent: each.beside === true }, each.run);
        });
      }
    },
  };
  const files = await startTests([{ filepath: TABLE }], runner);
  const broken = files.flatMap(collectErrors);
  if (broken.length > 0) throw new Error(`the runner could not run the cases: ${broken.join("; ")}`);
}

/** Neighbours of one suite together: the order of the tests is the caller's, and is kept. */
function bySuite(tests: readonly Runnable[]): readonly (readonly [string, readonly Runnable[]])[] {
  const suites: [string, Runnable[]][] = [];
  for (const each of tests) {
    const last = suites.at(-1);
    if (last?.[0] === each.suite) last[1].push(each);
    else suites.push([each.suite, [each]]);
  }
  return suites;
}

/** Errors within tests and outside of them. */
function collectErrors(task: File | Task): string[] {
  const own = (task.result?.errors ?? []).map((error) => error.message ?? String(error));
  if (task.type === "test") return own;
  return [...own, ...task.tasks.flatMap(collectErrors)];
}
