/** What a machine has, for people at a terminal. */
import type { Palette } from "./palette.ts";
import { tableOf } from "./plain-table.ts";

/** One thing that assay can use. */
export interface Diagnosis {
  readonly name: string;
  readonly state: "found" | "missing";
  /** Its version, or why it is not there. */
  readonly seen: string;
  /** What works with it, and does not without it. */
  readonly purpose: string;
  /** Whether no command works without it. */
  readonly needed: boolean;
  /** What to do where it is missing. */
  readonly remedy?: string;
}

/** A row each, then what is missing with its remedy. Ends with a newline. */
export function doctorText(all: readonly Diagnosis[], { good, bad, doubtful, quiet }: Palette): string {
  const state = ({ state, needed }: Diagnosis): string =>
    state === "found" ? good("ok") : needed ? bad("missing") : doubtful("missing");
  const rows = all.map((each) => [state(each), each.name, each.seen, quiet(`for ${each.purpose}`)]);
  const missing = all.filter((each) => each.state === "missing");
  const needed = missing.some((each) => each.needed);
  const last = needed
    ? bad("Something is missing that every command needs.")
    : missing.length === 0
      ? good("Nothing is missing.")
      : "Everything works but what is named above.";
  return `${[tableOf(rows), ...missing.map(({ name, remedy }) => `  ${name}: ${remedy}`), last].join("\n")}\n`;
}
