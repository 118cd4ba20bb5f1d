/** An exchange as a person would repeat it: the curl command, then the answer, secrets redacted. */
import type { Exchange } from "./exchange.ts";
import type { Secrets } from "./redact.ts";

const LONGEST_BODY = 2_000;
/** Headers of the connection and of the moment: they would tell two equal runs apart, and no requirement is about them. */
const OF_THE_MOMENT = new Set(["date", "connection", "keep-alive"]);

/** `curl -X POST ...`, one command on one line. */
export function toCurl(exchange: Exchange, baseUrl: string, secrets: Secrets): string {
  const { request } = exchange;
  const parts = ["curl", "-i"];
  if (request.method !== "GET") parts.push("-X", request.method);
  for (const [name, value] of request.headers.entries) parts.push("-H", quote(`${name}: ${value}`));
  if (request.body !== null) parts.push("--data-binary", quote(shorten(Buffer.from(request.body).toString("utf8"))));
  parts.push(quote(baseUrl.replace(/\/$/, "") + request.path));
  return secrets.hide(parts.join(" "));
}

/** The answer: status line, headers, an empty line, the body; or how the exchange ended instead. */
export function toAnswer(exchange: Exchange, secrets: Secrets): string {
  const lines: string[] = [];
  if (exchange.status !== 0) {
    lines.push(`HTTP ${exchange.status}`);
    for (const [name, value] of exchange.headers.entries) {
      if (!OF_THE_MOMENT.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
    }
    if (exchange.text !== "") lines.push("", shorten(exchange.text).trimEnd());
    for (const [name, value] of exchange.trailers.entries) lines.push(`(trailer) ${name}: ${value}`);
  }
  if (exchange.ending !== "answered") lines.push(`(${exchange.ending}: ${exchange.error ?? "no more is known"})`);
  return secrets.hide(lines.join("\n"));
}

function shorten(text: string): string {
  return text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}... (${text.length} characters)`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
