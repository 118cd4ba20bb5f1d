/** Every successful answer: its status, that it is JSON and says so, and the schema of its endpoint. */
import type { RequirementId } from "../../../fixtures/protocol/index.ts";
import { at, type Endpoint, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { type Judgement, judge, type Monitor } from "../monitor.ts";
import { makeValidator, type Validator } from "../validate.ts";

/** Schema of an endpoint's answer, and the row that says how it is answered. */
const ANSWERS: { readonly [E in Endpoint]?: { readonly schema: string; readonly row: RequirementId } } = {
  "POST /v1/chat/completions": { schema: "completion", row: "4.1/5" },
  "GET /v1/models": { schema: "model-list", row: "4.2/1" },
  "GET /v1/models/{model_id}": { schema: "model", row: "4.3/1" },
  "GET /v1/account": { schema: "account", row: "4.4/1" },
  "GET /v1/jobs/{job_id}": { schema: "job", row: "4.5/1" },
  "GET /v1/jobs": { schema: "job-list", row: "4.6/1" },
  "POST /v1/webhooks": { schema: "webhook", row: "4.8/1" },
};

/** Content type without its parameters, in small letters; an empty text when there is none. */
export function mediaType(exchange: Exchange): string {
  return (exchange.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Whether an answer is a stream of events. */
export const isStream = (exchange: Exchange): boolean => mediaType(exchange) === "text/event-stream";

export function answersMonitor(brand: string): Monitor {
  const validator = makeValidator(brand);
  return {
    name: "answers",
    rows: [
      ...(["4.1/5", "4.1/6", "4/2", "4.9/1"] as const),
      ...Object.values(ANSWERS).flatMap(({ schema, row }) => [row, ...validator.rows(schema)]),
      ...["dispute", "dispute-match"].flatMap(validator.rows),
    ],
    *see(exchange) {
      const { endpoint } = exchange;
      if (!succeeded(exchange) || endpoint === null || exchange.request.method === "HEAD") return;
      if (endpoint === "POST /v1/chat/completions") {
        const wanted = at(exchange.request.json, "stream") === true;
        yield judge(wanted ? "4.1/6" : "4.1/5", isStream(exchange) === wanted, {
          title: wanted
            ? "`stream` true is not answered with a stream"
            : "a chat without `stream` is answered with a stream",
          expected: wanted ? "text/event-stream" : "application/json",
          seen: exchange.headers.get("content-type") ?? "no content type",
        });
        if (isStream(exchange)) return;
      }
      if (exchange.body.length > 0) yield* isJson(exchange);
      const answer = ANSWERS[endpoint];
      if (answer !== undefined) {
        if (endpoint !== "POST /v1/webhooks") yield* isOk(exchange, answer.row);
        yield* fits(validator, answer.schema, exchange);
      } else if (endpoint === "POST /v1/jobs/{job_id}/dispute") {
        const opened = at(exchange.json, "dispute_opened") === true;
        yield* fits(validator, opened ? "dispute" : "dispute-match", exchange);
      } else if (endpoint === "GET /v1/webhooks") yield* isOk(exchange, "4.9/1");
    },
  };
}

function* isOk(exchange: Exchange, row: RequirementId): Iterable<Judgement> {
  yield judge(row, exchange.status === 200, {
    title: "an answer without fault has another status than 200",
    expected: "200",
    seen: exchange.status,
  });
}

function* isJson(exchange: Exchange): Iterable<Judgement> {
  yield judge("4/2", exchange.json !== undefined && mediaType(exchange) === "application/json", {
    title: exchange.json === undefined ? "a body is no JSON" : "a JSON body does not say so",
    expected: "JSON with the content type application/json",
    seen: `${exchange.headers.get("content-type") ?? "no content type"}: ${exchange.text.slice(0, 200)}`,
  });
}

/** A failure for each row that something does not fit, a pass for every other row that the data reach. */
export function* fits(validator: Validator, schema: string, exchange: Exchange): Iterable<Judgement> {
  yield* fitsData(validator, schema, exchange.json ?? null);
}

/** As `fits`, of any data. */
export function* fitsData(validator: Validator, schema: string, data: unknown): Iterable<Judgement> {
  const misfits = validator.misfits(schema, data);
  const broken = new Map<RequirementId, string[]>();
  for (const { requirement, message } of misfits) {
    broken.set(requirement, [...(broken.get(requirement) ?? []), message]);
  }
  for (const [requirement, messages] of broken) {
    yield {
      kind: "failed",
      requirement,
      expected: `what the schema \`${schema}\` demands`,
      seen: messages.slice(0, 5).join("; "),
    };
  }
  for (const requirement of validator.touched(schema, data)) {
    if (!broken.has(requirement)) yield { kind: "passed", requirement };
  }
}
