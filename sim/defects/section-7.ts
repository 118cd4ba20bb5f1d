/** Defects in errors (section 7). */

import { SECOND } from "../core/index.ts";
import { send } from "../facade/http.ts";
import {
  answers,
  type Body,
  bodies,
  bodyOf,
  failure,
  network,
  requests,
  status,
  within,
  without,
} from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";

const details = (code: string, change: (details: Body) => Body) =>
  failure(code, (error) => within(error, "details", change));

export const section7Object = [
  single(
    "error-at-the-top",
    "7/1",
    "An error's fields stand at the top of the body",
    bodies((body) => body.error ?? body),
  ),
  single(
    "error-without-message",
    "7/2",
    "Errors have no message",
    failure(undefined, (error) => without(error, "message")),
  ),
  single(
    "error-code-is-a-number",
    "7/2",
    "The code of an error about a parameter is its status",
    failure("invalid_request", (error) => ({ ...error, code: 400 })),
  ),
  single(
    "error-without-docs",
    "7/3",
    "Errors have no link to their entry",
    failure(undefined, (error) => without(error, "docs")),
  ),
  single(
    "error-type-missing",
    "7/3",
    "Errors of authentication have no type",
    failure("invalid_api_key", (error) => without(error, "type")),
  ),
  single(
    "error-param-is-a-list",
    "7/4",
    "`error.param` is a list",
    failure(undefined, (error) => ({
      ...error,
      param: error.param === null ? [] : [error.param],
    })),
  ),
  sequence(
    "error-details-is-text",
    "7/5",
    "`error.details` is a string",
    failure(undefined, (error) =>
      error.details === undefined ? error : { ...error, details: JSON.stringify(error.details) },
    ),
  ),
  sequence(
    "payment-error-called-request-error",
    "7/6",
    "The type of `insufficient_credits` is that of a bad request",
    failure("insufficient_credits", (error) => ({
      ...error,
      type: "invalid_request_error",
    })),
  ),
  sequence(
    "capacity-error-called-server-error",
    "7/7",
    "The type of `no_workers_available` is `server_error`",
    failure("no_workers_available", (error) => ({
      ...error,
      type: "server_error",
    })),
  ),
  sequence(
    "timeout-error-called-server-error",
    "7/8",
    "The type of `job_timeout` is `server_error`",
    failure("job_timeout", (error) => ({
      ...error,
      type: "server_error",
    })),
  ),
];

export const section7Statuses = [
  single(
    "broken-json-500",
    "7.1/1",
    "A body that is no JSON is answered 500",
    answers((answer) =>
      answer.status === 400 && answer.text.includes("cannot be parsed") ? { ...answer, status: 500 } : answer,
    ),
  ),
  single(
    "missing-field-unnamed",
    "7.1/2",
    "The error of a missing field has no `param`",
    failure("invalid_request", (error) =>
      String(error.message).endsWith("is required.") ? { ...error, param: null } : error,
    ),
  ),
  single(
    "missing-field-422",
    "7.1/2",
    "A missing field is refused with 422",
    answers((answer) =>
      answer.status === 400 && answer.text.includes("is required.") ? { ...answer, status: 422 } : answer,
    ),
  ),
  single(
    "inner-field-misnamed",
    "7.1/2",
    "The error of a field missing in a message names another",
    failure("invalid_request", (error) =>
      /^messages\[\d+\]\.\w+ is required/.test(String(error.message)) ? { ...error, param: "model" } : error,
    ),
  ),
  single(
    "body-not-an-object-500",
    "7.1/8",
    "A JSON body that is no object is answered 500",
    answers((answer) =>
      answer.status === 400 && answer.text.includes("is a JSON object.") ? { ...answer, status: 500 } : answer,
    ),
  ),
  single(
    "null-in-messages-500",
    "7.1/8",
    "A null among the messages is answered 500",
    answers((answer, request) =>
      answer.status === 400 && (bodyOf(request)?.messages as unknown[] | undefined)?.includes?.(null) === true
        ? { ...answer, status: 500 }
        : answer,
    ),
  ),
  boundary(
    "long-model-id-500",
    "7.1/8",
    "A model id of more than 255 characters is answered 500",
    answers((answer, request) => {
      const model = bodyOf(request)?.model;
      return typeof model === "string" && model.length > 255 ? { ...answer, status: 500 } : answer;
    }),
  ),
  sequence(
    "busy-network-429",
    "7.1/6",
    "A model that nobody hosts is answered 429",
    status("no_workers_available", 429),
  ),
  sequence("second-webhook-conflicts", "7.1/4", "A second webhook of a wallet, whatever its URL, is refused with 409", {
    middleware: (inside) => (request, response, next) => {
      const key = inside.door.authenticate(inside, request.headers.authorization, {
        method: "POST",
        path: request.target,
      });
      const second =
        request.method === "POST" &&
        request.target === "/v1/webhooks" &&
        "wallet" in key &&
        inside.webhooks.of(key.wallet).length > 0;
      if (!second) return next(request, response);
      return send(
        response,
        inside.door.refuse(inside, { status: 409, code: "conflict", message: "There is a webhook already." }),
      );
    },
  }),
];

export const section7Codes = [
  sequence(
    "poor-without-details",
    "7.2/1",
    "`insufficient_credits` has no details",
    failure("insufficient_credits", (error) => without(error, "details")),
  ),
  sequence(
    "poor-tier-of-first-model",
    "7.2/2",
    "`insufficient_credits` names the tier `lite`, whatever was asked for",
    details("insufficient_credits", (all) => ({
      ...all,
      tier: "lite",
    })),
  ),
  sequence(
    "poor-balance-zero",
    "7.2/2",
    "`insufficient_credits` tells a balance of nothing",
    details("insufficient_credits", (all) => ({
      ...all,
      credits_remaining: 0,
    })),
  ),
  sequence(
    "poor-requires-the-difference",
    "7.2/1",
    "`insufficient_credits` tells what is missing as what is required",
    details("insufficient_credits", (all) => ({
      ...all,
      credits_required: Number(all.credits_required) - Number(all.credits_remaining),
    })),
  ),
  single(
    "unknown-model-404",
    "7.2/3",
    "A completion by an unknown model is refused with 404",
    status("model_not_found", 404),
  ),
  sequence(
    "unhosted-model-500",
    "7.2/4",
    "A model that nobody hosts is answered 500",
    status("no_workers_available", 500),
  ),
  sequence("unhosted-model-unknown", "7.2/4", "A model that nobody hosts is answered as an unknown one", {
    door: (honest) => ({
      refuse: (inside, refusal) =>
        honest.refuse(
          inside,
          refusal.code === "no_workers_available"
            ? { status: 400, code: "model_not_found", message: "There is no such model.", param: "model" }
            : refusal,
        ),
    }),
  }),
  sequence(
    "retry-after-text",
    "7.2/5",
    "`retry_after` is a string with a unit",
    details("no_workers_available", (all) => ({ ...all, retry_after: `${all.retry_after}s` })),
  ),
  sequence(
    "unhosted-without-model",
    "7.2/5",
    "`no_workers_available` does not name the model",
    details("no_workers_available", (all) => without(all, "model")),
  ),
  sequence(
    "unhosted-names-first-model",
    "7.2/6",
    "`no_workers_available` names the first model of the list",
    failure("no_workers_available", (error, inside) =>
      within(error, "details", (all) => ({
        ...all,
        model: inside.network.models.find(({ id }) => id !== all.model)!.id,
      })),
    ),
  ),
  sequence(
    "returned-model-refused",
    "7.2/7",
    "A model that is hosted again is refused for another five minutes",
    () => {
      const until = new Map<number, number>();
      return network((honest) => ({
        setBehaviour(model, behaviour) {
          if (honest.behaviour(model) === "absent" && behaviour !== "absent")
            until.set(model, honest.now + 300 * SECOND);
          honest.setBehaviour(model, behaviour);
        },
        submit: (request, listener) =>
          honest.now < (until.get(request.model) ?? 0)
            ? { ok: false, error: "no_workers_available", retryAfterSeconds: 10 }
            : honest.submit(request, listener),
      }));
    },
  ),
  sequence(
    "timeout-without-refund",
    "7.2/9",
    "`job_timeout` does not name the refund",
    details("job_timeout", (all) => without(all, "refund_tx")),
  ),
  sequence(
    "timeout-job-unprefixed",
    "7.2/10",
    "`job_timeout` names a job that is not there",
    details("job_timeout", (all) => ({
      ...all,
      job_id: `${String(all.job_id).slice(0, -1)}_`,
    })),
  ),
  sequence(
    "timeout-refund-is-the-flat-price",
    "7.2/11",
    "`job_timeout` tells at most 18 units as refunded",
    details("job_timeout", (all) => ({
      ...all,
      credits_refunded: Math.min(18, Number(all.credits_refunded)),
    })),
  ),
  sequence(
    "timeout-refund-zero",
    "7.2/11",
    "`job_timeout` tells that nothing was refunded",
    details("job_timeout", (all) => ({ ...all, credits_refunded: 0 })),
  ),
  single("context-unchecked", "7.2/12", "Messages of any length are accepted", {
    door: () => ({ fitsContext: () => true }),
  }),
  single("context-in-characters", "7.2/13", "The context window is counted in characters, half of it used", {
    door: () => ({
      fitsContext: (inside, model, promptTokens) => promptTokens * 8 <= inside.network.models[model]!.contextWindow,
    }),
  }),
  single(
    "context-too-long-413",
    "7.2/15",
    "`context_length_exceeded` has the status 413",
    status("context_length_exceeded", 413),
  ),
];

export const section7Retry = [
  sequence(
    "failure-remembered",
    "7.3/1",
    "A request that failed with a 5xx fails the same way when it is sent again",
    () => {
      const failed = new Map<string, { status: number; text: string }>();
      const name = (request: { target: string; body: Uint8Array }) =>
        `${request.target} ${Buffer.from(request.body).toString()}`;
      return answers((answer, request) => {
        if (request.method !== "POST") return answer;
        const before = failed.get(name(request));
        if (before !== undefined && answer.status === 200) return { ...answer, ...before };
        if (answer.status >= 500) failed.set(name(request), { status: answer.status, text: answer.text });
        return answer;
      });
    },
  ),
  sequence(
    "retry-after-negative",
    "7.3/3",
    "`retry_after` is the time of the next try less the present, and negative",
    details("no_workers_available", (all) => ({
      ...all,
      retry_after: -Number(all.retry_after),
    })),
  ),
  sequence(
    "second-try-accepted",
    "7.3/4",
    "A request refused for its `temperature` is accepted when it is sent again",
    () => {
      const refused = new Set<string>();
      return requests((body) => {
        const wrong = typeof body.temperature === "number" && (body.temperature < 0 || body.temperature > 2);
        if (!wrong) return body;
        const text = JSON.stringify(body);
        if (refused.has(text)) return { ...body, temperature: 1 };
        refused.add(text);
        return body;
      });
    },
  ),
];
