/**
 * JSON-RPC over HTTP, in batches: one request for hundreds of calls. The node runs the calls of one batch side by side, so whatever must
 * happen in order takes a batch of its own.
 */
import { ChainError, RpcError } from "./error.ts";

/** A method and its parameters. */
export type Call = readonly [method: string, ...params: readonly unknown[]];

export interface RpcSettings {
  /** Milliseconds that an answer may take; 30,000 unless told. */
  readonly timeout?: number | undefined;
  /** Why nothing can be heard any more, where that is known: the node was ours and has ended. */
  readonly ending?: (() => Promise<string | undefined>) | undefined;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Calls in one HTTP request, below the 2 MB that a node takes unless told otherwise. */
const BATCH = 1_000;

export class Rpc {
  readonly url: string;
  readonly #timeout: number;
  readonly #ending: () => Promise<string | undefined>;
  #id = 0;

  constructor(url: string, settings: RpcSettings = {}) {
    this.url = url;
    this.#timeout = settings.timeout ?? 30_000;
    this.#ending = settings.ending ?? (async () => undefined);
  }

  /**
   * @returns the result as the node words it
   * @throws RpcError where the node refuses, ChainError where it does not answer
   */
  async call<T = unknown>(...call: Call): Promise<T> {
    return (await this.batch<T>([call]))[0]!;
  }

  /** Results in the order of the calls. Throws as `call`, for the first call that is refused. */
  async batch<T = unknown>(calls: readonly Call[]): Promise<T[]> {
    const results: T[] = [];
    for (let from = 0; from < calls.length; from += BATCH) {
      results.push(...(await this.#exchange<T>(calls.slice(from, from + BATCH))));
    }
    return results;
  }

  async #exchange<T>(calls: readonly Call[]): Promise<T[]> {
    const first = this.#id + 1;
    const body = JSON.stringify(
      calls.map(([method, ...params]) => ({ jsonrpc: "2.0", id: ++this.#id, method, params })),
    );
    const replies = await this.#post(body, calls[0]![0]);
    const results = new Array<T>(calls.length);
    const answered = new Set<number>();
    for (const { id, result, error } of replies) {
      const at = id - first;
      if (error !== undefined) throw refused(this.url, calls[at], error);
      results[at] = result as T;
      answered.add(at);
    }
    if (answered.size !== calls.length)
      throw await this.#unheard(calls[0]![0], "an answer to every call", replies.length);
    return results;
  }

  async #post(body: string, method: string): Promise<readonly Reply[]> {
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(this.#timeout),
      });
      const replies: unknown = await response.json();
      if (Array.isArray(replies) && replies.every(isReply)) return replies;
      throw new TypeError(`HTTP ${response.status}, no list of answers`);
    } catch (cause) {
      throw await this.#unheard(method, "an answer", cause);
    }
  }

  async #unheard(method: string, expected: string, cause: unknown): Promise<ChainError> {
    const ending = await this.#ending();
    if (ending !== undefined) {
      return new ChainError({
        what: "Anvil is gone in the middle of the run.",
        where: `${method} to ${this.url}`,
        seen: `Anvil ${ending}`,
        expected: "it runs until the run ends",
        hint: "run again; if nobody ended it, the machine may be short of memory",
        cause,
      });
    }
    return new ChainError({
      what: "The chain does not answer.",
      where: `${method} to ${this.url}`,
      seen: cause instanceof Error ? words(cause) : cause,
      expected,
      hint: "is an Anvil running at that address? `--chain anvil` without --rpc starts one",
      cause,
    });
  }
}

function isReply(value: unknown): value is Reply {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "number";
}

function refused(url: string, call: Call | undefined, error: NonNullable<Reply["error"]>): RpcError {
  return new RpcError(error.code, {
    what: "The chain refuses a call.",
    where: `${call?.[0] ?? "a call"} to ${url}`,
    seen: `${error.message} (${error.code})`,
    expected: "a result",
    hint: "the node must be an Anvil: its own calls set balances, time and blocks",
  });
}

/** fetch hides the reason in the cause. */
function words(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? `${error.message}: ${cause.message}` : error.message;
}
