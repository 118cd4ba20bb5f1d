/**
 * JSON with one spelling for each value: object keys in order of their UTF-16 code units, no white space, numbers as ECMAScript writes
 * them (RFC 8785). What is hashed or compared as text goes through here.
 */
import { AssayError } from "./errors.ts";

/**
 * @returns the canonical text. A property whose value is `undefined` is left out, as in `JSON.stringify`.
 * @throws AssayError for what JSON cannot say: NaN, infinities, bigints, functions, symbols, `undefined` outside of an object, cycles.
 */
export function canonicalJson(value: unknown): string {
  return write(value, "$", []);
}

function write(value: unknown, path: string, parents: readonly object[]): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object") throw unspeakable(value, path);
  if (parents.includes(value)) throw unspeakable("a value that contains itself", path);
  const within = [...parents, value];
  if (Array.isArray(value)) return `[${value.map((item, index) => write(item, `${path}[${index}]`, within)).join()}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, `${path}.${key}`, within)}`);
  return `{${members.join()}}`;
}

function unspeakable(value: unknown, path: string): AssayError {
  return new AssayError({
    what: "This value has no canonical JSON.",
    where: path,
    seen: typeof value === "string" ? value : `${typeof value} ${String(value)}`,
    expected: "null, a boolean, a finite number, text, an array or a plain object",
  });
}
