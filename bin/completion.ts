/** What a shell offers after an option whose values are ids: yargs knows the options, and the lists know their ids. */
import { cases } from "../conformance/index.ts";
import { requirements } from "../fixtures/protocol/index.ts";
import { defects } from "../sim/defects/index.ts";
import { variants } from "../sim/variants/index.ts";

const sections = (): readonly string[] => [...new Set(requirements.map(({ section }) => section))];

const VALUES: Readonly<Record<string, () => readonly string[]>> = {
  "--defect": () => defects.map(({ id }) => id),
  "--variant": () => variants.map(({ id }) => id),
  "--section": sections,
  "--only": () => [...sections(), ...cases.map(({ id }) => id)],
};

/** As `completion` of yargs wants it. The words typed so far are the end of the command line. */
export function completions(
  current: string,
  _argv: unknown,
  fromOptions: (done?: (error: Error | null, words: string[] | undefined) => void) => unknown,
  done: (words: string[]) => void,
): void {
  const words = process.argv.slice(2);
  const before = words.at(words.at(-1) === current ? -2 : -1) ?? "";
  const values = VALUES[before];
  if (values === undefined) fromOptions((_error, found) => done([...(found ?? [])]));
  else done(values().filter((value) => value.startsWith(current)));
}
