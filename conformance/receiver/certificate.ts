/** The certificate of the receiver: made for the run, or read from files. */
import { readFileSync } from "node:fs";
import { ConformError } from "../errors.ts";

/** PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A fresh self-signed certificate for a host name or an IP address. */
export async function makeCertificate(host: string): Promise<Certificate> {
  const isAddress = /^[\d.]+$|:/.test(host);
  // A slow library to load, and many runs have no receiver.
  const { generate } = await import("selfsigned");
  const made = await generate([{ name: "commonName", value: host }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          isAddress ? { type: 7, ip: host } : { type: 2, value: host },
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  return { cert: made.cert, key: made.private };
}

/** Reads both files. Throws `ConformError` naming the one that cannot be read. */
export function readCertificate(certFile: string, keyFile: string): Certificate {
  const read = (file: string, option: string): string => {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      throw new ConformError({
        what: "The receiver's certificate cannot be read.",
        where: option,
        seen: error instanceof Error ? error.message : String(error),
        expected: "a PEM file",
        cause: error,
      });
    }
  };
  return { cert: read(certFile, "--receiver-cert"), key: read(keyFile, "--receiver-key") };
}
