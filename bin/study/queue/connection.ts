/** The queue's name, its address, and what both ends do when Redis cannot be reached. */
import { AssayError } from "../../../sim/core/index.ts";
import type { Task } from "../../../sim/study/index.ts";

export const QUEUE = "assay";

/** Milliseconds for a first word from Redis. */
const PATIENCE = 5_000;

/** @throws AssayError where the text is no address of Redis */
export function checkedAddress(url: string): string {
  if (/^rediss?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw new AssayError({
    what: "This is no address of a queue.",
    where: "--queue",
    seen: withoutSecret(url),
    expected: "redis://host:port, or rediss:// for TLS, with user:password@ where needed",
  });
}

/** Waits for Redis as long as it takes; how soon it is tried again grows to two seconds. */
export function connectionTo(url: string): {
  url: string;
  maxRetriesPerRequest: null;
  retryStrategy: (times: number) => number;
} {
  return { url, maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(2_000, 200 * times) };
}

/** The address as it may be shown. */
export function withoutSecret(url: string): string {
  return url.replace(/\/\/[^@/]*@/, "//…@");
}

/** Names the job of a task: a task is queued once, whoever queues it, and never taken for that of another version. */
export function jobIdOf({ key, engine }: Task): string {
  return `${key}-${engine.version}-${engine.fingerprint}`;
}

/** @throws AssayError where Redis does not answer in time */
export async function reached(
  ready: Promise<unknown>,
  url: string,
  lastError: () => string | undefined,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new AssayError({
          what: "The queue cannot be reached.",
          where: withoutSecret(url),
          seen: lastError() ?? `no answer for ${PATIENCE / 1_000} s`,
          expected: "a Redis server",
          hint: "start one (redis-server), or correct --queue",
        }),
      );
    }, PATIENCE);
  });
  try {
    await Promise.race([ready, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Says once that Redis is away and once that it is back. */
export class Presence {
  readonly #say: (text: string) => void;
  readonly #address: string;
  #away = false;
  last: string | undefined;

  constructor(url: string, say: (text: string) => void) {
    this.#address = withoutSecret(url);
    this.#say = say;
  }

  failed(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    this.last = code ?? message;
    if (this.#away) return;
    this.#away = true;
    this.#say(`the queue at ${this.#address} is away (${this.last}); waiting for it, nothing is lost\n`);
  }

  worked(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#say(`the queue at ${this.#address} is back\n`);
  }
}
