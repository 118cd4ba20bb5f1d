/** Tells the trace when troubles of links begin and end; the links themselves know from the start. */
import type { Kernel } from "../kernel/index.ts";
import type { LinkTrouble } from "../network/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import { FAULT } from "../trace/kinds.ts";

/** @param troubles with their places in the scenario's list of faults */
export function announceTroubles(
  kernel: Kernel,
  trace: Trace<WorldKinds>,
  troubles: readonly (LinkTrouble & { readonly place: number })[],
): void {
  const number = ({ factor }: LinkTrouble): number => (factor === Infinity ? FAULT.partition : FAULT.clog);
  const began = kernel.handler((index) => {
    const trouble = troubles[index]!;
    trace.emit(KIND["fault.began"], number(trouble), trouble.place);
  });
  const ended = kernel.handler((index) => {
    const trouble = troubles[index]!;
    trace.emit(KIND["fault.ended"], number(trouble), trouble.place);
  });
  for (const [index, { from, until }] of troubles.entries()) {
    kernel.at(from, began, index);
    kernel.at(until, ended, index);
  }
}
