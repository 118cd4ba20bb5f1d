/** Every answer in error: the error object of section 7, its content type, and that code and status belong together. */
import { ERROR_CODES, errorEntry, STATUSES } from "../../../fixtures/protocol/index.ts";
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type Judgement, judge, type Monitor } from "../monitor.ts";
import { makeValidator } from "../validate.ts";
import { fits, mediaType } from "./answers.ts";

const UNNAMED: readonly number[] = [404, 409, 500];

/** A broken escape makes a target that is no URI: the HTTP layer may answer that with a 400 of its own, before there is a request to the service. */
const isNoRequest = (exchange: Exchange): boolean =>
  exchange.status === 400 && /%(?![0-9a-f]{2})/i.test(exchange.request.path);

/** What the contract leaves open of a 429 is everything: it is never judged. */
const isError = (exchange: Exchange): boolean =>
  exchange.ending === "answered" &&
  exchange.status >= 400 &&
  exchange.status !== 429 &&
  !isNoRequest(exchange) &&
  exchange.request.method !== "HEAD" &&
  exchange.request.path.startsWith("/v1/");

export function errorsMonitor(brand: string): Monitor {
  const validator = makeValidator(brand);
  return {
    name: "errors",
    rows: [
      ...(["4/3", "7/9", "7.1/3", "7.1/7", "7.1/9", "7.2/1", "7.2/6", "7.2/15", "7.3/2", "7.3/3"] as const),
      ...["error", ...ERROR_CODES.map((code) => `error.${code}`)].flatMap(validator.rows),
    ],
    *see(exchange) {
      if (exchange.status === 429) yield { kind: "observed", requirement: "7.1/7", choice: retryHint(exchange) };
      if (!isError(exchange)) return;
      const code = errorCode(exchange);
      yield judge("4/3", mediaType(exchange) === "application/json", {
        expected: "application/json",
        seen: exchange.headers.get("content-type") ?? "no content type",
      });
      const known = code !== null && (ERROR_CODES as string[]).includes(code);
      yield* fits(validator, known ? `error.${code}` : "error", exchange);
      if (code === null) return;
      yield* codeAndStatus(exchange, code);
      yield* details(exchange, code);
      if (!known && UNNAMED.includes(exchange.status)) {
        yield { kind: "observed", requirement: "7.1/3", choice: `${exchange.status} ${code}` };
      }
      if (!(exchange.status in STATUSES)) {
        yield { kind: "observed", requirement: "7.1/9", choice: String(exchange.status) };
      }
      const type = at(exchange.json, "error", "type");
      if (typeof type === "string" && errorEntry(code)?.type === undefined) {
        yield { kind: "observed", requirement: "7/9", choice: `${code}: ${type}` };
      }
    },
  };
}

/**
 * Whether the contract lets a code of section 7.2 stand beside another status than its own. No code is shown for 404, 409 and 500, so any will do
 * there, an unknown model's among them (4.3/4); nor for what is out of range and refused with 422, nor for a status that section 7.1 does not have. A
 * completion is no such place: each of its errors is shown with code and status.
 */
export function statusIsOpen(exchange: Exchange, code: string): boolean {
  if (code === "invalid_request" && (exchange.status === 422 || !(exchange.status in STATUSES))) return true;
  return exchange.endpoint !== "POST /v1/chat/completions" && UNNAMED.includes(exchange.status);
}

/** A code of section 7.2 has its own status. */
function* codeAndStatus(exchange: Exchange, code: string): Iterable<Judgement> {
  const entry = errorEntry(code);
  if (entry === undefined) return;
  if (statusIsOpen(exchange, code)) return;
  yield judge("7.2/15", exchange.status === entry.status, {
    title: `the code ${code} comes with another status than its own`,
    expected: `${entry.status} for ${code}`,
    seen: exchange.status,
  });
}

function* details(exchange: Exchange, code: string): Iterable<Judgement> {
  const detail = (name: string): unknown => at(exchange.json, "error", "details", name);
  if (code === "no_workers_available") {
    const wait = detail("retry_after");
    yield { kind: "observed", requirement: "7.3/2", choice: wait === undefined ? "absent" : "told" };
    if (typeof wait === "number") yield judge("7.3/3", wait >= 0, { expected: "0 or more", seen: wait });
    const asked = at(exchange.request.json, "model");
    const told = detail("model");
    if (typeof told === "string") yield judge("7.2/6", told === asked, { expected: String(asked), seen: told });
  }
}

function retryHint(exchange: Exchange): string {
  return exchange.headers.has("retry-after") ? "with Retry-After" : "without Retry-After";
}
