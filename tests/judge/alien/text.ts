/** The alien's language model: words by a hash of what was asked, a token each. */
import { createHash } from "node:crypto";

const WORDS = [
  ...["Moss", " grows", " slowly", " north", " of", " the", " wall", ", and", " rain", " feeds", " it", "; naïve"],
  ...[" stones", " keep", " time", " 石", " under", " pale", " light", ". Then", " wind", " turns", " every", " leaf"],
];

export interface Plan {
  /** Joined they are the text. Each is a token. */
  readonly pieces: readonly string[];
  readonly finish: "stop" | "length";
}

export interface Wanted {
  readonly seed: string;
  /** Tokens that the model would say by itself. */
  readonly length: number;
  readonly most: number;
  readonly stops: readonly string[];
  /** A flaw: a stop sequence is seen within one token only. */
  readonly within?: boolean;
}

export function digest(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The hash that a worker posts: of the text without a trailing newline. */
export function proofOf(text: string): string {
  return `sha256:${digest(text.endsWith("\n") ? text.slice(0, -1) : text)}`;
}

export function plan({ seed, length, most, stops, within = false }: Wanted): Plan {
  const bytes = createHash("sha256").update(seed).digest();
  const full = Array.from({ length: Math.min(length, most) }, (_, index) => {
    const pick = ((bytes[index % bytes.length] ?? 0) + index * 7) % WORDS.length;
    return index === length - 1 ? ".\n" : (WORDS[pick] ?? "");
  });
  const finish = length > most ? "length" : "stop";
  const text = full.join("");
  const cuts = stops
    .filter((stop) => stop !== "" && (within ? full.some((piece) => piece.includes(stop)) : text.includes(stop)))
    .map((stop) => text.indexOf(stop));
  return cuts.length === 0 ? { pieces: full, finish } : { pieces: upTo(full, Math.min(...cuts)), finish: "stop" };
}

/** The pieces of the first `characters` characters. */
function upTo(pieces: readonly string[], characters: number): readonly string[] {
  const kept: string[] = [];
  let left = characters;
  for (const piece of pieces) {
    if (left <= 0) break;
    kept.push(piece.slice(0, left));
    left -= piece.length;
  }
  return kept;
}

/** Tokens of what was asked: four characters each, and some for every message. */
export function promptTokens(messages: readonly { readonly content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + 3 + Math.ceil(content.length / 4), 0);
}
