/** Headers as they came: order, case and repetition are kept, names are looked up without regard to case. */
import type { HeaderEntry, HeaderList } from "./exchange.ts";

/** A list of these entries. */
export function headerList(entries: readonly HeaderEntry[]): HeaderList {
  const all = (name: string): readonly string[] => {
    const wanted = name.toLowerCase();
    return entries.filter(([each]) => each.toLowerCase() === wanted).map(([, value]) => value);
  };
  return { entries, all, get: (name) => all(name)[0] ?? null, has: (name) => all(name).length > 0 };
}

export const NO_HEADERS: HeaderList = headerList([]);

/** What the HTTP library hands over: alternating names and values, or an object whose values may be lists. */
export type RawHeaders =
  | readonly (Buffer | string)[]
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | null
  | undefined;

/** Reads either form. Bytes are read as Latin-1, as HTTP has it. */
export function headersFrom(raw: RawHeaders): HeaderList {
  if (raw === null || raw === undefined) return NO_HEADERS;
  if (Array.isArray(raw)) {
    const text = (part: unknown): string => (Buffer.isBuffer(part) ? part.toString("latin1") : String(part));
    const entries: HeaderEntry[] = [];
    for (let i = 0; i + 1 < raw.length; i += 2) entries.push([text(raw[i]), text(raw[i + 1])]);
    return headerList(entries);
  }
  const named = raw as Readonly<Record<string, string | readonly string[] | undefined>>;
  const entries = Object.entries(named).flatMap(([name, value]): HeaderEntry[] => {
    if (value === undefined) return [];
    const values: readonly string[] = typeof value === "string" ? [value] : value;
    return values.map((each): HeaderEntry => [name, each]);
  });
  return headerList(entries);
}
