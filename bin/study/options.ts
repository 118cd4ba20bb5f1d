/** Options that commands with many runs share. */
import { AssayError } from "../../sim/core/index.ts";
import type { Runner } from "./runner.ts";

/** Where the runs are done: on a queue, on threads, or with 0 threads in this one. */
export async function runnerOf({
  queue,
  threads: count,
}: {
  readonly queue?: string | undefined;
  readonly threads: number;
}): Promise<Runner> {
  // The queue's client takes a while to load, and most studies need none.
  if (queue !== undefined) return (await import("./queue/runner.ts")).queueRunner(queue);
  const checked = checkedCount(count, "--threads", 0)!;
  const { inline, threads } = await import("./runner.ts");
  return checked === 0 ? inline : threads(checked);
}

/** @throws AssayError where it is no whole number, or less than `least` */
export function checkedCount(count: number | undefined, where: string, least = 1): number | undefined {
  if (count === undefined || (Number.isInteger(count) && count >= least)) return count;
  throw new AssayError({
    what: "This is no number of them.",
    where,
    seen: String(count),
    expected: `a whole number, ${least} or more`,
  });
}

/** @throws AssayError where it is no rule */
export function warmUpRule(text: string): "mser5" | number {
  if (text === "mser5") return "mser5";
  if (text === "none") return 0;
  if (/^\d+$/.test(text)) return Number(text);
  throw new AssayError({
    what: "This is no rule for the warm-up.",
    where: "--warm-up",
    seen: text,
    expected: "mser5, none, or the number of jobs to leave out",
  });
}
