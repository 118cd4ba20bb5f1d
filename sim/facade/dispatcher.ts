/**
 * The door as an undici dispatcher: an HTTP client of the same process talks to the simulated service without a socket, and gets the same bytes
 * each time. The service and its test controls each answer on an origin of their own; time stands still unless the controls move it.
 *
 * Works with `request`, `stream`, `pipeline` and `fetch` of undici 7, and so with every client that lets its dispatcher be given.
 */
import { STATUS_CODES } from "node:http";
import { Dispatcher } from "undici";
import { AssayError } from "../core/index.ts";
import type { Facade } from "./facade.ts";
import type { FacadeExchange, FacadeRequest, FacadeResponse } from "./http.ts";

export interface FacadeDispatcherOptions {
  readonly facade: Facade;
  /** Origin of the service; default `http://service.test`. */
  readonly base?: string;
  /** Origin of the test controls; default `http://control.test`. */
  readonly control?: string;
}

type Handle = (request: FacadeRequest, response: FacadeResponse) => FacadeExchange;
type Options = Dispatcher.DispatchOptions;
type Handler = Dispatcher.DispatchHandler;

/** A dispatcher that serves both origins of a facade, and no other. */
export function createFacadeDispatcher(options: FacadeDispatcherOptions): Dispatcher {
  const handlers = new Map<string, Handle>([
    [new URL(options.base ?? "http://service.test").origin, options.facade.handle],
    [new URL(options.control ?? "http://control.test").origin, options.facade.controls.handle],
  ]);
  return new FacadeDispatcher(handlers);
}

class FacadeDispatcher extends Dispatcher {
  readonly #handlers: ReadonlyMap<string, Handle>;
  readonly #open = new Set<Reply>();
  #closed = false;

  constructor(handlers: ReadonlyMap<string, Handle>) {
    super();
    this.#handlers = handlers;
  }

  override dispatch(options: Options, handler: Handler): boolean {
    const reply = new Reply(handler, () => this.#open.delete(reply));
    this.#open.add(reply);
    // A socket would not answer within the call either.
    queueMicrotask(() => void this.#serve(options, reply));
    return true;
  }

  async #serve(options: Options, reply: Reply): Promise<void> {
    try {
      const handle = this.#handlers.get(new URL(String(options.origin)).origin);
      if (this.#closed || handle === undefined) throw unreachable(String(options.origin), [...this.#handlers.keys()]);
      reply.start();
      if (reply.over) return;
      const body = bodyBytes(options.body);
      const request: FacadeRequest = {
        method: options.method,
        target: targetOf(options),
        headers: headersOf(options.headers),
        body: body instanceof Promise ? await body : body,
      };
      if (!reply.over) reply.exchange = handle(request, reply);
    } catch (error) {
      reply.fail(error as Error);
    }
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): unknown {
    this.#closed = true;
    return told(callback);
  }

  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(first?: Error | null | (() => void), second?: () => void): unknown {
    this.#closed = true;
    const error = first instanceof Error ? first : new Error("The dispatcher was destroyed.");
    for (const reply of [...this.#open]) reply.fail(error);
    return told(typeof first === "function" ? first : second);
  }
}

function told(callback: (() => void) | undefined): Promise<void> | undefined {
  if (callback === undefined) return Promise.resolve();
  queueMicrotask(callback);
  return undefined;
}

/** One answer on its way to a handler, of undici's present or earlier kind; holds data back while the handler wants none. */
class Reply implements FacadeResponse, Dispatcher.DispatchController {
  readonly #handler: Handler;
  readonly #closed: () => void;
  readonly #held: (() => void)[] = [];
  exchange: FacadeExchange | undefined;
  over = false;
  paused = false;
  aborted = false;
  reason: Error | null = null;
  rawHeaders: Buffer[] | null = null;
  rawTrailers: Buffer[] | null = null;

  constructor(handler: Handler, closed: () => void) {
    this.#handler = handler;
    this.#closed = closed;
  }

  start(): void {
    if (this.#handler.onRequestStart) this.#handler.onRequestStart(this, {});
    else this.#handler.onConnect?.((error) => this.abort(error ?? new Error("The request was aborted.")));
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#when(() => {
      const text = STATUS_CODES[status] ?? "";
      this.rawHeaders = raw(headers);
      if (this.#handler.onRequestStart) this.#handler.onResponseStart?.(this, status, { ...headers }, text);
      else if (this.#handler.onHeaders?.(status, this.rawHeaders, () => this.resume(), text) === false) this.pause();
    });
  }

  write(chunk: Uint8Array): void {
    this.#when(() => {
      const data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (this.#handler.onRequestStart) this.#handler.onResponseData?.(this, data);
      else if (this.#handler.onData?.(data) === false) this.pause();
    });
  }

  end(trailers: Readonly<Record<string, string>> = {}): void {
    this.#when(() => {
      this.#finish();
      this.rawTrailers = raw(trailers);
      if (this.#handler.onRequestStart) this.#handler.onResponseEnd?.(this, { ...trailers });
      else this.#handler.onComplete?.(this.rawTrailers as unknown as string[]);
    });
  }

  cut(): void {
    this.#when(() =>
      this.fail(Object.assign(new Error("The other side closed the connection."), { code: "UND_ERR_SOCKET" })),
    );
  }

  /** The handler's own word: it wants nothing more. */
  abort(reason: Error): void {
    if (this.over) return;
    this.aborted = true;
    this.reason = reason;
    this.exchange?.abort();
    this.fail(reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    while (!this.paused && this.#held.length > 0) this.#held.shift()!();
  }

  fail(error: Error): void {
    if (this.over) return;
    this.#finish();
    if (this.#handler.onRequestStart) this.#handler.onResponseError?.(this, error);
    else this.#handler.onError?.(error);
  }

  #when(deliver: () => void): void {
    const step = (): void => {
      if (!this.over) deliver();
    };
    if (this.paused || this.#held.length > 0) this.#held.push(step);
    else step();
  }

  #finish(): void {
    this.over = true;
    this.#closed();
  }
}

function raw(headers: Readonly<Record<string, string>>): Buffer[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    Buffer.from(name, "latin1"),
    Buffer.from(value, "latin1"),
  ]);
}

function targetOf({ path, query }: Options): string {
  const entries = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

/** Headers in each of the forms that undici takes, names in small letters. */
function headersOf(headers: Options["headers"]): Record<string, string> {
  const found: Record<string, string> = {};
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    for (const one of Array.isArray(value) ? value : [value]) {
      const key = name.toLowerCase();
      found[key] = found[key] === undefined ? String(one) : `${found[key]}, ${String(one)}`;
    }
  };
  if (!headers) return found;
  if (Array.isArray(headers)) {
    for (let i = 0; i < headers.length; i += 2) add(String(headers[i]), headers[i + 1]);
  } else if (Symbol.iterator in headers) {
    for (const [name, value] of headers as Iterable<[string, string | string[] | undefined]>) add(name, value);
  } else {
    for (const [name, value] of Object.entries(headers)) add(name, value);
  }
  return found;
}

function bodyBytes(body: unknown): Uint8Array | Promise<Uint8Array> {
  if (body === undefined || body === null) return new Uint8Array(0);
  if (typeof body === "string") return Buffer.from(body, "utf8");
  if (body instanceof Uint8Array) return body;
  if (typeof body === "object" && Symbol.asyncIterator in body)
    return collect(body as AsyncIterable<Uint8Array | string>);
  throw new AssayError({
    what: "The dispatcher cannot read this body.",
    seen: Object.prototype.toString.call(body),
    expected: "text, bytes or an async iterable of them",
  });
}

async function collect(parts: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const part of parts) chunks.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(chunks);
}

function unreachable(origin: string, known: readonly string[]): AssayError {
  return new AssayError({
    what: "Nothing in this process answers there.",
    where: "FacadeDispatcher",
    seen: origin,
    expected: known.join(" or "),
  });
}
