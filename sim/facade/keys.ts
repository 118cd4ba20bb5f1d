/**
 * API keys (sections 3.3 and 5): which wallet a key belongs to, and whether it may be used.
 */
import { token } from "./ids.ts";
import type { Refusal } from "./refusal.ts";
import type { Shape } from "./shape.ts";

export type KeyState = "active" | "revoked" | "suspended";

export interface Key {
  readonly text: string;
  readonly wallet: number;
  /** Virtual time. */
  readonly createdAt: number;
  state: KeyState;
}

/** All keys of the service. */
export interface KeyRing {
  /** Makes an active key; `text` is drawn from the seed where it is not given. */
  create(wallet: number, now: number, text?: string): Key;
  find(text: string): Key | undefined;
}

export function createKeyRing(seed: string | number, prefix: string): KeyRing {
  const keys = new Map<string, Key>();
  return {
    create(wallet, now, text = prefix + token(seed, "key", keys.size, 32)) {
      const key: Key = { text, wallet, createdAt: now, state: "active" };
      keys.set(text, key);
      return key;
    },
    find: (text) => keys.get(text),
  };
}

/** The token of an `Authorization` header, null where the header is no bearer token. */
export function bearerToken(authorization: string, shape: Shape): string | null {
  const match = /^(\S+) +(\S+) *$/.exec(authorization);
  if (match === null) return null;
  const scheme = match[1]!;
  const bearer = shape.bearerCase === "exact" ? scheme === "Bearer" : scheme.toLowerCase() === "bearer";
  return bearer ? match[2]! : null;
}

/** The key that a request carries, or why it carries none that counts. */
export function authenticate(keys: KeyRing, authorization: string | undefined, shape: Shape): Key | Refusal {
  if (authorization === undefined) return refuse(401, "missing_api_key", "The request has no Authorization header.");
  const text = bearerToken(authorization, shape);
  if (text === null) {
    return refuse(401, shape.malformedAuthorization, "The Authorization header is not `Bearer <API_KEY>`.");
  }
  const key = keys.find(text);
  if (key === undefined) return refuse(401, "invalid_api_key", "The API key is unknown.");
  if (key.state === "revoked") return refuse(401, "invalid_api_key", "The API key was revoked.");
  if (key.state === "suspended") return refuse(403, "key_suspended", "The API key is suspended.");
  return key;
}

function refuse(status: number, code: string, message: string): Refusal {
  return { status, code, message };
}
