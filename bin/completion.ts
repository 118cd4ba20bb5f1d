/** What a shell offers after an option or a command whose values are ids: yargs knows the options, and the lists know their ids. */

type Values = () => Promise<readonly string[]>;

const sections: Values = async () => {
  const { requirements } = await import("../fixtures/protocol/index.ts");
  return [...new Set(requirements.map(({ section }) => section))];
};

/** By the word before. Each list is loaded when it is asked for. */
const VALUES: Readonly<Record<string, Values>> = {
  "--defect": async () => (await import("../sim/defects/index.ts")).defects.map(({ id }) => id),
  "--variant": async () => (await import("../sim/variants/index.ts")).variants.map(({ id }) => id),
  "--section": sections,
  "--only": async () => [...(await sections()), ...(await import("../conformance/index.ts")).cases.map(({ id }) => id)],
  "--metric": async () => (await import("../sim/study/index.ts")).metrics.map(({ name }) => name),
  schema: async () => {
    const { contractSchemas, fileSchemas } = await import("./schemas.ts");
    const { DEFAULT_BRAND } = await import("../fixtures/protocol/index.ts");
    return [...fileSchemas, ...contractSchemas(DEFAULT_BRAND)].map(({ name }) => name);
  },
};

/** How a shell asks yargs: this flag, the program's name, the words typed so far. */
export const COMPLETING = "--get-yargs-completions";

/** What `completion` of yargs is given. */
export type Complete = (
  current: string,
  argv: unknown,
  fromOptions: (done?: (error: Error | null, words: string[] | undefined) => void) => unknown,
  done: (words: string[]) => void,
) => void;

/** Loads what the end of a command line may go on with; yargs asks for it later, and does not wait. */
export async function completer(argv: readonly string[]): Promise<Complete> {
  const values = argv[0] === COMPLETING ? await VALUES[argv.at(-2) ?? ""]?.() : undefined;
  return (current, _argv, fromOptions, done) => {
    if (values === undefined) fromOptions((_error, found) => done([...(found ?? [])]));
    else done(values.filter((value) => value.startsWith(current)));
  };
}
