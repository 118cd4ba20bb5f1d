/** A client for tests of the door: a service in this process, whose clock moves when a test says so. */
import type { FacadeRequest } from "./http.ts";
import { createService, type ServiceOptions } from "./service.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly cut: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly json: any;
}

export const EPOCH_MS = Date.UTC(2026, 5, 1);

export function openTestClient(options: Partial<ServiceOptions> = {}) {
  const service = createService({ seed: "test", epochMs: EPOCH_MS, ...options });
  const { facade, network } = service;
  const { key } = facade.openWallet(1_000);

  /** Sends a request. `written` grows as the answer comes. */
  function send(where: { handle: typeof facade.handle }, request: Partial<FacadeRequest>) {
    const written: string[] = [];
    let head: { status: number; headers: Readonly<Record<string, string>> } | undefined;
    let exchange = { abort() {} };
    const reply = new Promise<Reply>((resolve) => {
      const over = (trailers: Readonly<Record<string, string>>, cut: boolean): void => {
        const text = written.join("");
        const json = head!.headers["content-type"] === "application/json" ? JSON.parse(text) : undefined;
        resolve({ ...head!, text, json, trailers, cut });
      };
      exchange = where.handle(
        { method: "GET", target: "/", headers: {}, body: new Uint8Array(0), ...request },
        {
          head: (status, headers) => {
            head = { status, headers };
          },
          write: (part) => void written.push(Buffer.from(part).toString()),
          end: (trailers = {}) => over(trailers, false),
          cut: () => over({}, true),
        },
      );
    });
    return { reply, written, head: () => head, abort: () => exchange.abort() };
  }

  const start = (method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send(facade, {
      method,
      target,
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)),
    });
  const seconds = (count: number): Promise<void> => facade.advanceTo(network.now + Math.round(count * 1_000_000));

  return {
    ...service,
    key,
    start,
    seconds,
    /** Sends a request that is answered at once. */
    ask: (method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      start(method, target, body, headers).reply,
    /** A chat, brought to its end. */
    async chat(changes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
      const { reply } = start("POST", "/v1/chat/completions", chatOf(changes));
      await seconds(130);
      return reply;
    },
    control: (method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      send(facade.controls, {
        method,
        target,
        headers,
        body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
      }).reply,
  };
}

export function chatOf(changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { model: "brook-3b", messages: [{ role: "user", content: "Hello" }], ...changes };
}
