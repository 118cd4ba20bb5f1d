/**
 * Reads the `console` blocks of a Markdown page and holds a transcript against what the page promises.
 *
 * A line that begins with `$ ` is a command (a trailing backslash continues it, and so does a here-document
 * up to its end); what follows up to the next command is its output. In promised
 * output a line `...` stands for any number of lines, and `…` inside a line for any text: figures that change from run to run.
 */

export interface Step {
  readonly command: string;
  /** Promised output, without trailing blank lines; empty when the page shows none. */
  readonly output: readonly string[];
}

export interface Block {
  /** 1-based line of the opening fence. */
  readonly line: number;
  readonly steps: readonly Step[];
}

const FENCE = /^```(\S*)(.*)$/;

/** The `console` blocks of a page, in order. A block whose first line is no command is an error in the page. */
export function consoleBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; body: string[] } | undefined;
  markdown.split("\n").forEach((text, index) => {
    const fence = FENCE.exec(text);
    if (open === undefined) {
      if (fence) open = { language: fence[1] ?? "", line: index + 1, body: [] };
    } else if (text.startsWith("```")) {
      if (open.language === "console") blocks.push({ line: open.line, steps: stepsOf(open.body, open.line) });
      open = undefined;
    } else open.body.push(text);
  });
  return blocks;
}

function stepsOf(body: readonly string[], line: number): Step[] {
  const steps: { command: string; output: string[] }[] = [];
  let continues = false;
  let here: string | undefined;
  for (const text of body) {
    const last = steps.at(-1);
    if (here !== undefined && last) {
      last.command += `\n${text}`;
      if (text === here) here = undefined;
    } else if (continues && last) {
      last.command += `\n${text}`;
      continues = text.endsWith("\\");
    } else if (text.startsWith("$ ")) {
      steps.push({ command: text.slice(2), output: [] });
      continues = text.endsWith("\\");
      here = /<<'(\w+)'/.exec(text)?.[1];
    } else if (last) last.output.push(text);
    else throw new Error(`line ${line}: a console block must begin with a command ("$ ...")`);
  }
  return steps.map(({ command, output }) => ({ command, output: trimmed(output) }));
}

function trimmed(lines: readonly string[]): string[] {
  const copy = [...lines];
  while (copy.at(-1)?.trim() === "") copy.pop();
  return copy;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether the transcript is what was promised, with `...` and `…` as wild cards. Trailing spaces do not count. */
export function matches(promised: readonly string[], actual: string): boolean {
  const pattern = promised
    .map((line) =>
      line.trim() === "..." ? "(?:.*\\n)*?" : `${line.trimEnd().split("…").map(escaped).join(".*")}[ \\t]*\\n`,
    )
    .join("");
  const text = actual === "" || actual.endsWith("\n") ? actual : `${actual}\n`;
  return new RegExp(`^${pattern}\\s*$`).test(text);
}
