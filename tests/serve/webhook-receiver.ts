/** An HTTPS endpoint with a certificate of its own making, for deliveries of `assay serve`. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";

export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The raw body. */
  readonly body: string;
  readonly method: string;
}

export interface Receiver {
  readonly url: string;
  /** File with the certificate, for `--webhook-ca`. */
  readonly ca: string;
  readonly received: readonly Received[];
  /** Status of the answers to come. */
  answer: number;
  /** Decides the status of each answer by itself, where it is given. */
  judge?: (delivery: Received) => number;
  /** Resolves once that many deliveries have come. */
  arrived(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keySize: 2048,
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] },
    ],
  });
  const ca = join(mkdtempSync(join(tmpdir(), "assay-")), "ca.pem");
  writeFileSync(ca, cert);
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly resolve: (all: readonly Received[]) => void }[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const delivery = {
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
        method: request.method ?? "",
      };
      received.push(delivery);
      response.statusCode = receiver.judge?.(delivery) ?? receiver.answer;
      response.end();
      for (const { count, resolve } of waiting) if (received.length >= count) resolve(received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    ca,
    received,
    answer: 200,
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve(received);
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
