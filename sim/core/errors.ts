/**
 * The one base class of everything that assay throws on purpose, and `invariant()`, which throws it when the program itself is wrong.
 *
 * An error says what happened, where, what was seen, what was expected and what to try, in that order. The command line prints the
 * message and leaves with `exitCode`; nobody else needs to format anything.
 */

/** The facts of an error. `seen` and `expected` may be any value: text is shown as it is, everything else as JSON. */
export interface ErrorFacts {
  /** One sentence: what happened. */
  readonly what: string;
  /** The place: a file and a path in it, an option, a section of the contract. */
  readonly where?: string | undefined;
  readonly seen?: unknown;
  readonly expected?: unknown;
  /** What to try. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Exit codes follow one rule: 2 is "what you asked for is wrong", 70 (sysexits' EX_SOFTWARE) is "we are wrong". */
export const EXIT_USAGE = 2;
export const EXIT_SOFTWARE = 70;

export class AssayError extends Error {
  override readonly name: string = "AssayError";
  readonly exitCode: number = EXIT_USAGE;
  readonly what: string;
  readonly where: string | undefined;
  readonly seen: unknown;
  readonly expected: unknown;
  readonly hint: string | undefined;

  constructor(facts: ErrorFacts) {
    super(format(facts), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.what = facts.what;
    this.where = facts.where;
    this.seen = facts.seen;
    this.expected = facts.expected;
    this.hint = facts.hint;
  }
}

/** The program broke a promise that it makes to itself. */
export class InvariantError extends AssayError {
  override readonly name = "InvariantError";
  override readonly exitCode = EXIT_SOFTWARE;

  constructor(what: string) {
    super({
      what: `Invariant broken: ${what}`,
      hint: "this is a defect of assay; please report it with the seed of the run",
    });
  }
}

/** Asserts one fact, in production too. `what` states the fact as it should be: `invariant(units >= 0, "a balance is never negative")`. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new InvariantError(what);
}

function format(facts: ErrorFacts): string {
  const lines = [facts.what];
  const say = (label: string, text: string | undefined): void => {
    if (text !== undefined) lines.push(`  ${label.padEnd(10)}${text.replaceAll("\n", `\n${" ".repeat(12)}`)}`);
  };
  say("where", facts.where);
  if ("seen" in facts) say("seen", show(facts.seen));
  if ("expected" in facts) say("expected", show(facts.expected));
  say("try", facts.hint);
  return lines.join("\n");
}

function show(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
