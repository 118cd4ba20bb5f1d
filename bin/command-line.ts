/** The words of a command line: read as they were meant, and shown without their secrets. */

/** Options whose value nobody else may see. */
const SECRET_OPTIONS = ["--key", "--control-token"];
/** Options that take one value each time, and may come again, of the commands that judge. */
const REPEATED = ["--key", "--only"];
const JUDGING = ["conform", "demo"];

const isOption = (word: string): boolean => word.startsWith("-");
const isAddress = (word: string): boolean => /^https?:\/\//i.test(word);

/** `--only 4.6 2.5 <address>` is `--only 4.6 --only 2.5 <address>`: an option that may come again takes all words up to an option or an address. */
export function spreadRepeated(argv: readonly string[]): readonly string[] {
  if (!JUDGING.includes(argv[0] ?? "")) return argv;
  let repeated: string | null = null;
  let taken = 0;
  return argv.flatMap((word) => {
    if (isOption(word)) {
      repeated = REPEATED.includes(word) ? word : null;
      taken = 0;
      return [word];
    }
    if (isAddress(word)) repeated = null;
    taken += 1;
    return repeated === null || taken === 1 ? [word] : [repeated, word];
  });
}

/** The command line as a message shows it: keys and tokens are left out. */
export function withoutSecrets(argv: readonly string[]): string {
  let secret = false;
  const shown = argv.map((word) => {
    const [name = ""] = word.split("=", 1);
    if (isOption(word)) {
      secret = SECRET_OPTIONS.includes(word);
      return SECRET_OPTIONS.includes(name) && name !== word ? `${name}=***` : word;
    }
    if (isAddress(word)) secret = false;
    return secret ? "***" : word;
  });
  return ["assay", ...shown].join(" ").trim();
}
