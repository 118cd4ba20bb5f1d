/** Properties over generated values: fast-check's runs, within a budget, with a bounded shrinking. */
import fc from "fast-check";
import type { PropertyOptions, RequirementId } from "../cases/case.ts";
import { Stop } from "../errors.ts";
import type { Fault } from "../findings/evidence.ts";
import { type Attempt, CheckFailed, show } from "./attempt.ts";

export interface PropertyContext {
  readonly attempt: Attempt;
  readonly seed: number;
  readonly runs: number;
  /** Where an earlier run's counterexample lies. */
  readonly path: string | undefined;
  /** Whether the budget bears a run of that cost. */
  readonly affords: (cost: number) => boolean;
}

/** The shortest counterexample, as evidence wants it. */
export interface Counterexample {
  readonly fault: Fault;
  readonly path: string | undefined;
}

/** Executions spent on making a counterexample shorter. Each is a sequence of requests. */
const MOST_SHRINKS = 100;

/** Tries the property. Null when no run failed. Rethrows whatever is neither a failed check nor a success. */
export async function tryProperty<Value>(
  options: PropertyOptions<Value>,
  context: PropertyContext,
): Promise<Counterexample | null> {
  const { attempt } = context;
  let escaped: unknown = null;
  let shrinks = 0;
  /** The row that failed first: what breaks another one is not a shorter form of it. */
  let failed: RequirementId | null = null;
  let unaffordable = false;
  let ran = 0;

  const predicate = async (value: Value): Promise<void> => {
    if (escaped !== null || unaffordable || (failed !== null && ++shrinks > MOST_SHRINKS)) return;
    if (!context.affords(options.cost?.(value) ?? 0)) {
      unaffordable = true;
      return;
    }
    ran += 1;
    const before = attempt.exchanges.length;
    const run = attempt.begin();
    try {
      await options.run(value);
      run.keep();
    } catch (error) {
      run.drop();
      if (error instanceof CheckFailed) {
        const { requirement } = error.fault;
        if (failed === null || options.vague?.includes(failed)) failed = requirement;
        if (failed !== requirement) return;
        throw new CheckFailed(withSequence(error.fault, attempt, before));
      }
      escaped = error;
    }
  };

  const details = await fc.check(fc.asyncProperty(options.arbitrary, predicate), {
    seed: context.seed,
    numRuns: options.runs ?? context.runs,
    ...(context.path === undefined ? {} : { path: context.path }),
  });
  if (escaped !== null) throw escaped;
  const error = details.failed ? details.errorInstance : null;
  if (error instanceof CheckFailed && details.counterexample !== null) {
    const value = (options.show ?? ((each: Value) => show(each)))(details.counterexample[0]);
    const fault = { ...error.fault, seen: `${error.fault.seen}\nfor ${value}` };
    return { fault, path: details.counterexamplePath ?? undefined };
  }
  if (details.failed) throw error instanceof Error ? error : new Error("a property failed without an error");
  if (unaffordable && ran === 0) throw new Stop("not-exercised", "the budget is spent (--max-credits)");
  return null;
}

/** A finding of a property shows the whole run, not only what the check named. */
function withSequence(fault: Fault, attempt: Attempt, from: number): Fault {
  const sequence = attempt.exchanges.slice(from).map((exchange) => exchange.number);
  return { ...fault, exchanges: [...new Set([...sequence, ...fault.exchanges])].sort((a, b) => a - b) };
}
