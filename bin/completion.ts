/** What a shell offers after an option whose values are ids: yargs knows the options, and the lists know their ids. Each is loaded when it is asked for. */

type Values = () => Promise<readonly string[]>;

const sections: Values = async () => {
  const { requirements } = await import("../fixtures/protocol/index.ts");
  return [...new Set(requirements.map(({ section }) => section))];
};

const VALUES: Readonly<Record<string, Values>> = {
  "--defect": async () => (await import("../sim/defects/index.ts")).defects.map(({ id }) => id),
  "--variant": async () => (await import("../sim/variants/index.ts")).variants.map(({ id }) => id),
  "--section": sections,
  "--only": async () => [...(await sections()), ...(await import("../conformance/index.ts")).cases.map(({ id }) => id)],
};

/** As `completion` of yargs wants it. The words typed so far are the end of the command line. */
export async function completions(
  current: string,
  _argv: unknown,
  fromOptions: (done?: (error: Error | null, words: string[] | undefined) => void) => unknown,
  done: (words: string[]) => void,
): Promise<void> {
  const words = process.argv.slice(2);
  const before = words.at(words.at(-1) === current ? -2 : -1) ?? "";
  const values = VALUES[before];
  if (values === undefined) fromOptions((_error, found) => done([...(found ?? [])]));
  else done((await values()).filter((value) => value.startsWith(current)));
}
