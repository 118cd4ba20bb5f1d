/**
 * Names that the door gives to what the world numbers. Each is drawn from a stream named by kind and number, so that an id depends on the seed
 * and on nothing that happened before.
 */
import { stream } from "../core/index.ts";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `length` letters and digits that name the `number`-th of a kind. */
export function token(seed: string | number, kind: string, number: number, length: number): string {
  const draw = stream(seed, `${kind} ${number}`, "id");
  let text = "";
  while (text.length < length) text += ALPHANUMERIC[draw.below(ALPHANUMERIC.length)];
  return text;
}
