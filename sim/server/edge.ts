/**
 * Between node:http and the door: reads a request whole, within limits, and writes the answer as it comes.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { FacadeExchange, FacadeRequest, FacadeResponse } from "../facade/index.ts";

type Handle = (request: FacadeRequest, response: FacadeResponse) => FacadeExchange;

export interface Edge {
  readonly server: Server;
  /** Exchanges whose answer has not been written whole. */
  readonly open: number;
  /** Takes no further connections; resolves when every open exchange is over. */
  close(): Promise<void>;
}

export interface EdgeOptions {
  readonly handle: Handle;
  /** Told of each exchange when it is over; `status` is 0 where the client left before an answer. */
  readonly onExchange?:
    | ((exchange: { method: string; path: string; status: number; bytes: number }) => void)
    | undefined;
}

/** Bytes of a body that are kept: a little more than the door takes, so that it can say no by itself. */
const BODY_LIMIT = 8 * 1024 * 1024 + 1;
/** Bytes of a body that are read, and thrown away beyond `BODY_LIMIT`, before the connection is closed. */
const READ_LIMIT = 64 * 1024 * 1024;
/** Longer than clients keep idle connections, so that none is closed just as a request is sent on it. */
const KEEP_ALIVE_MS = 65_000;

/** An HTTP server over a handler. It does not listen yet. */
export function createEdge(options: EdgeOptions): Edge {
  let open = 0;
  let closing = false;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    open++;
    let status = 0;
    let bytes = 0;
    let exchange: FacadeExchange | undefined;
    outgoing.once("close", () => {
      open--;
      if (!outgoing.writableFinished) exchange?.abort();
      const path = (incoming.url ?? "").split("?", 1)[0]!;
      options.onExchange?.({ method: incoming.method ?? "", path, status, bytes });
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    outgoing.on("error", () => {});
    const response: FacadeResponse = {
      head(code, headers) {
        status = code;
        if (closing) outgoing.shouldKeepAlive = false;
        outgoing.writeHead(code, { ...headers });
        outgoing.flushHeaders();
      },
      write(chunk) {
        bytes += chunk.length;
        outgoing.write(chunk);
      },
      end(trailers = {}) {
        outgoing.addTrailers({ ...trailers });
        outgoing.end();
      },
      cut: () => void outgoing.destroy(),
    };
    readRequest(incoming, (request) => {
      if (!outgoing.destroyed) exchange = options.handle(request, response);
    });
  });
  server.on("clientError", refuseMalformed);

  return {
    server,
    get open() {
      return open;
    },
    close() {
      closing = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

/** Calls back once the body is there, or once too much of it is; never for a client that left before. */
function readRequest(incoming: IncomingMessage, done: (request: FacadeRequest) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let told = false;
  const tell = (oversized: boolean): void => {
    if (told) return;
    told = true;
    const body = oversized ? new Uint8Array(0) : Buffer.concat(chunks);
    done({ method: incoming.method ?? "", target: incoming.url ?? "", headers: headersOf(incoming), body, oversized });
  };
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
    if (size > READ_LIMIT) {
      tell(true);
      incoming.pause();
    }
  });
  incoming.once("end", () => tell(size > BODY_LIMIT));
  incoming.on("error", () => {});
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(incoming.headersDistinct)) headers[name] = values!.join(", ");
  return headers;
}

const MALFORMED = JSON.stringify({
  error: {
    code: "invalid_request",
    message: "This is not an HTTP request that can be read.",
    type: "invalid_request_error",
    param: null,
    docs: "https://docs.service.example/errors#invalid_request",
  },
});

/** What cannot be parsed as HTTP is answered all the same. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${MALFORMED.length}\r\n\r\n${MALFORMED}`,
  );
}
