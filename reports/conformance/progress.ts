/** What is told while a run goes on: the plan before it, then a line for each case, or one line that is rewritten on a terminal. */
import type { CaseResult, Plan, Target } from "../../conformance/index.ts";
import type { Palette } from "../palette.ts";
import { type ProgressLine, type ProgressStream, progressLine } from "../progress.ts";

/** The plan in a few lines: what is tried, with what, and the most that it can cost. */
export function planText(plan: Plan, target: Target, colours: Palette): string {
  const runs = plan.cases.filter((each) => each.leftOut === null);
  const { options, controls, clock } = target;
  const with_ = [
    `clock ${clock.kind}`,
    controls.capabilities.size > 0 ? `controls ${[...controls.capabilities].join(", ")}` : "no test controls",
    target.noReceiver === null ? "webhook receiver" : "no webhook receiver",
    ...(options.rpc === undefined ? [] : ["chain"]),
  ];
  const most = Math.min(plan.cost, options.maxCredits);
  const cost = controls.has("wallets")
    ? "the controls make the wallets: no units of a given key are spent, but for what a case cannot do otherwise"
    : `at most ${most} units of the key's wallet (estimate ${plan.cost}, --max-credits ${options.maxCredits})`;
  return [
    `${colours.strong("target")}  ${options.baseUrl}, brand ${options.brand}, ${with_.join("; ")}`,
    `${colours.strong("plan")}    ${runs.length} of ${plan.cases.length} cases, seed ${options.seed}, ${options.runs} runs a property`,
    `${colours.strong("cost")}    ${cost}`,
  ].join("\n");
}

const MARKS = {
  passed: "ok",
  failed: "FAILED",
  flaky: "flaky",
  inconclusive: "inconclusive",
  "not-exercised": "-",
  fault: "fault of the judge",
} as const satisfies Record<CaseResult["outcome"], string>;

/** One case in one line. */
export function caseText(result: CaseResult, colours: Palette): string {
  const colour = {
    passed: colours.good,
    failed: colours.bad,
    flaky: colours.doubtful,
    inconclusive: colours.doubtful,
    "not-exercised": colours.quiet,
    fault: colours.doubtful,
  }[result.outcome];
  const reason = result.reason === undefined || result.outcome === "passed" ? "" : colours.quiet(` (${result.reason})`);
  return `${colour(MARKS[result.outcome].padEnd(6))} ${result.id.padEnd(28)} ${result.title}${reason}`;
}

export interface Progress {
  planned(plan: Plan, target: Target): void;
  ended(result: CaseResult): void;
  /** Clears the line that was being rewritten. */
  done(): void;
}

/**
 * Writes progress to a stream. On a terminal the passing cases share one line, with rate and time left; without one each case has its own,
 * so that a log tells everything.
 */
export function progress(stream: ProgressStream, colours: Palette): Progress {
  let line: ProgressLine | undefined;
  let count = 0;
  return {
    planned(plan, target) {
      stream.write(`${planText(plan, target, colours)}\n\n`);
      if (stream.isTTY === true) line = progressLine(stream, { unit: "cases", total: plan.cases.length, colours });
    },
    ended(result) {
      count += 1;
      const text = `${caseText(result, colours)}\n`;
      if (line === undefined) stream.write(text);
      else if (result.outcome !== "passed" && result.outcome !== "not-exercised") line.above(text);
      line?.tell(count, result.id);
    },
    done: () => line?.end(),
  };
}
