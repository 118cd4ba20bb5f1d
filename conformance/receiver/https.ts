/** The receiver over sockets: an HTTPS server that records raw deliveries and answers as it was told to. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { ConformError } from "../errors.ts";
import { type Certificate, makeCertificate, readCertificate } from "./certificate.ts";
import { makeEndpoints } from "./endpoints.ts";
import type { Receiver, Reply } from "./receiver.ts";

export interface HttpsReceiverOptions {
  readonly brand: string;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly publicUrl?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface HttpsReceiver extends Receiver {
  /** Where deliveries go: the public address, else the one that it listens on. */
  readonly url: string;
  /** Grows with everything that arrives or is answered. */
  readonly activity: number;
  /** Connects the receiver with the service's clock, once there is one. */
  setClock(clock: ReceiverClock): void;
  /** When the next late answer falls due, on the service's clock; null when there is none. */
  nextDue(): number | null;
  /** Answers what has fallen due. */
  onTime(now: number): void;
}

export interface ReceiverClock {
  window(): { readonly earliest: number; readonly at: number };
  /** Whether late answers wait for `onTime` alone. */
  readonly manual: boolean;
}

interface Late {
  readonly due: number;
  readonly answer: () => void;
}

/** Larger bodies are cut there: no event is that long. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Opens the receiver. Throws `ConformError` with exit code 3 when it cannot listen: that is the harness's fault, not the target's. */
export async function openHttpsReceiver(options: HttpsReceiverOptions): Promise<HttpsReceiver> {
  const host = options.host ?? "127.0.0.1";
  const certificate: Certificate =
    options.certFile !== undefined && options.keyFile !== undefined
      ? readCertificate(options.certFile, options.keyFile)
      : await makeCertificate(options.publicUrl === undefined ? host : new URL(options.publicUrl).hostname);
  let clock: ReceiverClock = { window: () => ({ earliest: Date.now(), at: Date.now() }), manual: false };
  const late = new Set<Late>();
  const sockets = new Set<Duplex>();
  let activity = 0;
  let refusedHandshakes = 0;

  const perform = (reply: Reply, response: ServerResponse): void => {
    activity += 1;
    if (reply.kind === "hang") return;
    if (reply.kind === "drop") response.socket?.destroy();
    else if (reply.kind === "garbage") response.socket?.end("these bytes are no HTTP\r\n\r\n");
    else response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers }).end(reply.body);
  };
  const schedule = (reply: Reply, response: ServerResponse, at: number): void => {
    const after = reply.kind === "answer" ? (reply.afterMs ?? 0) : 0;
    if (after === 0) {
      perform(reply, response);
      return;
    }
    const waiting: Late = {
      due: at + after,
      answer: () => {
        if (late.delete(waiting)) perform(reply, response);
      },
    };
    late.add(waiting);
    if (!clock.manual) wake(waiting);
  };

  /** Time that flows is looked at again until it has come: a service whose clock jumps may let it stand still meanwhile. */
  const wake = (waiting: Late): void => {
    const left = waiting.due - clock.window().earliest;
    if (left <= 0) waiting.answer();
    else if (late.has(waiting)) setTimeout(wake, left, waiting).unref();
  };

  const server = createServer({ ...certificate, keepAlive: false }, (request, response) => {
    void readBody(request).then((body) => {
      const moment = clock.window();
      const headers = pairs(request.rawHeaders);
      const raw = { url: request.url ?? "/", method: request.method ?? "", headers, body };
      const reply = endpoints.take(raw, moment) ?? { kind: "answer", status: 404, body: "" };
      schedule(reply, response, moment.at);
    });
  });
  // A connection that its client keeps open is never closed from here: a delivery that was just being sent on it would be lost.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => {
    activity += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  server.on("tlsClientError", () => {
    refusedHandshakes += 1;
  });
  const port = await listen(server, host, options.port ?? 0);
  const url = (options.publicUrl ?? `https://${host.includes(":") ? `[${host}]` : host}:${port}`).replace(/\/$/, "");
  const endpoints = makeEndpoints(url, options.brand);

  return {
    url,
    open: endpoints.open,
    listen: endpoints.listen,
    get activity() {
      return activity;
    },
    get refusedHandshakes() {
      return refusedHandshakes;
    },
    setClock: (given) => {
      clock = given;
    },
    nextDue: () => (late.size === 0 ? null : Math.min(...[...late].map((each) => each.due))),
    onTime: (now) => {
      for (const each of [...late]) if (each.due <= now) each.answer();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] as string, raw[2 * i + 1] as string]);
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > MOST_BYTES) break;
    }
  } catch {
    // The sender left in the middle: what came is what is recorded.
  }
  return Uint8Array.from(Buffer.concat(parts));
}

function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new ConformError(
          {
            what: "The webhook receiver cannot listen.",
            where: `--receiver-host ${host} --receiver-port ${port}`,
            seen: error.message,
            hint: "choose a free port, or leave the option out; --no-receiver runs without one",
            cause: error,
          },
          3,
        ),
      ),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
