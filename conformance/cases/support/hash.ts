/** The hash of section 4.7, reckoned by the judge itself. */
import { createHash } from "node:crypto";

export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

/** What an honest worker may post for a text: one trailing newline removed, or all of them (4.7/9 is open), of either kind. */
export function honestHashes(text: string): readonly string[] {
  const stripped = [text.replace(/\n$/, ""), text.replace(/\r?\n$/, ""), text.replace(/[\r\n]+$/, "")];
  return [...new Set(stripped.map(sha256))];
}

export const HASH = /^sha256:[0-9a-f]{64}$/i;

/** A hash that differs from another in one digit only: the first or the last. */
export function nearMiss(hash: string, where: "first" | "last"): string {
  const at = where === "first" ? "sha256:".length : hash.length - 1;
  const digit = hash[at] === "0" ? "1" : "0";
  return hash.slice(0, at) + digit + hash.slice(at + 1);
}
