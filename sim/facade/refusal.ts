/**
 * Refusals: why a request was not served, and the error object of section 7 that says so.
 */
import type { BrandNames } from "../../fixtures/protocol/brand.ts";
import type { JobRecord } from "./jobs.ts";
import type { Shape } from "./shape.ts";

/** Codes that section 7.2 names, and those that this service chose where it names none. */
export type ErrorCode =
  | "invalid_api_key"
  | "missing_api_key"
  | "key_suspended"
  | "insufficient_credits"
  | "model_not_found"
  | "no_workers_available"
  | "job_timeout"
  | "invalid_request"
  | "context_length_exceeded"
  | "dispute_window_expired"
  | (string & {});

/** Why a request is refused. `job` is the job that was made for it, if any: its receipt goes with the answer. */
export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** The parameter at fault, `messages[0].role`; null where none is. */
  readonly param?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly job?: JobRecord;
}

/** The body of an answer in error (section 7). */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly docs: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

const SHOWN_TYPES: Readonly<Record<string, string>> = {
  insufficient_credits: "payment_error",
  no_workers_available: "capacity_error",
  job_timeout: "timeout_error",
};

const TYPES_BY_STATUS: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
};

/** Category of an error: the three values that section 7 shows, and this service's own words for the rest. */
export function errorType(refusal: Refusal, shape: Shape): string {
  const shown = SHOWN_TYPES[refusal.code];
  if (shown !== undefined) return shown;
  if (shape.errorTypes === "generic") return refusal.status < 500 ? "request_error" : "api_error";
  return TYPES_BY_STATUS[refusal.status] ?? (refusal.status < 500 ? "invalid_request_error" : "server_error");
}

/** The error object of a refusal. */
export function errorBody(refusal: Refusal, shape: Shape, brand: BrandNames): ErrorBody {
  return {
    error: {
      code: refusal.code,
      message: refusal.message,
      type: errorType(refusal, shape),
      param: refusal.param ?? null,
      docs: `https://docs.${brand.name}.example/errors#${refusal.code}`,
      ...(refusal.details === undefined ? {} : { details: refusal.details }),
    },
  };
}

/** 400 `invalid_request`: the request's form is wrong at `param`. */
export function invalid(param: string | null, message: string): Refusal {
  return { status: 400, code: "invalid_request", message, param };
}

/** A value of the right type that the contract does not allow. */
export function outOfRange(shape: Shape, param: string, message: string): Refusal {
  return shape.outOfRange === 400
    ? invalid(param, message)
    : { status: 422, code: "unprocessable_value", message, param };
}

/** 404: no such job, model, webhook or path. */
export function notFound(shape: Shape, what: "job" | "model" | "webhook" | "path", name: string): Refusal {
  return {
    status: 404,
    code: shape.notFoundCodes === "generic" ? "not_found" : `${what}_not_found`,
    message: `There is no ${what} ${JSON.stringify(name)}.`,
  };
}
