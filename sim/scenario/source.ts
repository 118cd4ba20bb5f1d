/**
 * A scenario's text, with the places of everything in it: `clients[0].arrivals` stands in line 12, column 5.
 */
import { isCollection, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { AssayError } from "../core/index.ts";

/** A way from the top of the file: names of fields and places in lists. */
export type Path = readonly (string | number)[];

export class Source {
  readonly file: string;
  /** What the text says, as plain data. */
  readonly data: unknown;
  readonly #lines = new LineCounter();
  readonly #top: Node | null;

  /** @throws AssayError where the text is not YAML; `noun` says what it was to be */
  constructor(text: string, file: string, noun = "scenario") {
    this.file = file;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: true });
    const [error] = document.errors;
    if (error !== undefined) {
      throw new AssayError({
        what: `The ${noun} is not YAML.`,
        where: `${file}:${this.#position(error.pos[0])}`,
        seen: error.message,
        hint: "fields stand one a line as `name: value`, lists as `- item`, indented by two spaces, not tabs",
      });
    }
    this.#top = document.contents as Node | null;
    this.data = document.toJS();
  }

  /** `file:line:column, path` of the value there, or of the nearest thing around it that stands in the text. */
  where(path: Path): string {
    let node = this.#top;
    let start = node?.range?.[0] ?? 0;
    for (const step of path) {
      if (!isCollection(node)) break;
      const key = isMap(node) ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === step) : undefined;
      const next = node.get(step, true) as Node | undefined;
      const range = next?.range ?? (key?.key as Node | undefined)?.range;
      if (range === undefined || range === null) break;
      start = range[0];
      node = next ?? null;
    }
    return `${this.file}:${this.#position(start)}${path.length > 0 ? `, ${dotted(path)}` : ""}`;
  }

  /** The same for the name of a field. */
  whereKey(parent: Path, name: string): string {
    let node: unknown = this.#top;
    for (const step of parent) node = isCollection(node) ? node.get(step, true) : undefined;
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
    const range = (pair?.key as Node | undefined)?.range;
    if (range === undefined || range === null) return this.where(parent);
    return `${this.file}:${this.#position(range[0])}, ${dotted([...parent, name])}`;
  }

  #position(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${line}:${col}`;
  }
}

/** `clients[0].arrivals` */
export function dotted(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
