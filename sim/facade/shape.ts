/**
 * The open choices of the contract, as one record. Where the contract says "not shown", or two things at once, an honest service must choose;
 * the door reads its choice here and nowhere else. A variant of the service is another value of this record.
 */

export interface Shape {
  // --- 2.1 account
  /** Whether the account tells `api_key_created_at`. */
  readonly accountTellsKeyCreation: boolean;
  /** `last_topup_at` of a wallet that was never topped up. */
  readonly neverToppedUp: "absent" | "null";

  // --- 2.2 models
  /** A known model that nobody hosts, asked for by its id. */
  readonly unhostedModel: "shown" | "not_found";

  // --- 2.3, 2.5 jobs
  /** Digits of seconds in ISO 8601 timestamps. */
  readonly timestamps: "seconds" | "milliseconds" | "microseconds";
  /** Fields that are not known yet. */
  readonly unknownFieldsOfJob: "absent" | "null";
  /** Whether `on_chain` shows the escrow lock before the job has settled. */
  readonly lockShownEarly: boolean;
  readonly completedAt: "last_token" | "settlement";
  /** `credits_charged` of a failed or refunded job. */
  readonly chargeOfUnpaidJob: "zero" | "null" | "locked";
  readonly jobOrder: "newest" | "oldest";
  /** `next_cursor` of a last page. */
  readonly lastCursor: "absent" | "null" | "last_job";
  readonly unknownCursor: "invalid" | "not_found" | "empty";
  readonly unknownStatus: "invalid" | "empty";
  /** `limit` of 0, or above 100. */
  readonly limitOutOfRange: "refused" | "clamped";

  // --- 4.1 chat
  /** Status of a value out of range, an unknown role or event name, an `http:` webhook. */
  readonly outOfRange: 400 | 422;
  /** Fields that the contract does not have. */
  readonly foreignFields: "ignored" | "refused";
  /** Optional fields that are null. */
  readonly nullOptional: "absent" | "refused";
  readonly emptyMessages: "refused" | "answered";
  /** `max_tokens` of 0 or less. */
  readonly maxTokensBelowOne: "refused" | "absent";
  readonly topPBeyondOne: "refused" | "answered";
  /** What is held against the context window. */
  readonly contextCounts: "messages" | "messages_and_max_tokens";
  /** Whether `seed` makes equal requests give equal texts. */
  readonly seedReproduces: boolean;
  /** What must be the same for a seed to give the same text: the model and the messages, or the whole body. */
  readonly seedBinds: "messages" | "body";
  /** How the request is answered whose job failed. */
  readonly failedJob: { readonly status: 500 | 502 | 503; readonly code: string };

  // --- streams
  readonly lineEnding: "\n" | "\r\n";
  /** Comment lines before the first chunk and between chunks. */
  readonly streamComments: boolean;
  /** Tokens in each chunk. */
  readonly tokensPerChunk: number;
  /** Whether the final chunk carries `usage`. */
  readonly usageInStream: boolean;
  /**
   * Where a stream's settlement is told: in a trailer, for which the stream stays open; in a header, for which the whole stream is held back; or
   * on the job only.
   */
  readonly streamSettlement: "trailer" | "header" | "job";
  /** A stream whose job fails midway: the connection breaks, or the stream ends without `[DONE]`. */
  readonly brokenStream: "cut" | "ended";

  // --- 4.7 disputes
  readonly matchingDispute: "full" | "minimal" | "message";
  readonly secondDispute: 409 | 422 | "repeat";
  readonly disputeOfUnfinished: 409 | 422;
  /** A hash in capital digits. */
  readonly capitalHash: "equal" | "different" | "refused";

  // --- 4.8 to 4.10 webhooks
  readonly webhookCreated: 200 | 201;
  readonly webhookList: "list" | "array" | "webhooks";
  readonly webhookDeleted: "object" | "empty_object" | "no_content";
  /** The same URL twice. */
  readonly webhookTwice: "allowed" | "conflict";
  readonly emptyEvents: "refused" | "accepted";
  /** An event name given twice, or an empty secret. */
  readonly repeatedEvents: "refused" | "accepted";
  readonly emptySecret: "refused" | "accepted";
  /** Name of the failed state. */
  readonly failedWebhook: "failed" | "disabled" | "failing";
  /** Whether a failed webhook is still sent new events. */
  readonly failedWebhookHears: boolean;

  // --- 4.11 receipts, balance
  /** Receipt headers of answers that made no job. */
  readonly receiptsWithoutJob: "balance" | "none";
  /** Whether the balance shown counts the units that are locked. */
  readonly balanceInFlight: "without_locked" | "with_locked";

  // --- 5, 7 refusals
  readonly malformedAuthorization: "invalid_api_key" | "missing_api_key";
  readonly bearerCase: "any" | "exact";
  readonly unknownModelById: 400 | 404;
  /** Codes of 404: `job_not_found` and its like, or `not_found` for all. */
  readonly notFoundCodes: "specific" | "generic";
  readonly wrongMethod: 404 | 405;
  /** A path that is announced and not available: 404 like any other, or 501. */
  readonly announcedPath: 404 | 501;
  /** A body of another content type. */
  readonly foreignContentType: 400 | 415 | "read_anyway";
  /** Which of two faults is told: a request's form, or its unknown model. */
  readonly firstFault: "form" | "model";
  /** `error.type` beyond the three that the contract shows. */
  readonly errorTypes: "specific" | "generic";
  /** `details.retry_after` of a 503, seconds. */
  readonly retryAfter: "told" | "untold";

  // --- 6 events
  /** Every attempt gets an event id of its own. */
  readonly eventIdPerAttempt: boolean;
  /** From which attempt the delays between attempts are counted. */
  readonly retriesCountFrom: "previous" | "first";
  /** Who hears `worker.registered` and `worker.slashed`: every subscriber, or for a slashing only the wallet of the job. */
  readonly workerEvents: "everyone" | "concerned";
  /** Data of the events whose data the contract does not show. */
  readonly eventData: "rich" | "bare";
}

/** What the simulator's own service chose. */
export const defaultShape: Shape = {
  accountTellsKeyCreation: true,
  neverToppedUp: "null",
  unhostedModel: "shown",
  timestamps: "milliseconds",
  unknownFieldsOfJob: "null",
  lockShownEarly: true,
  completedAt: "settlement",
  chargeOfUnpaidJob: "zero",
  jobOrder: "newest",
  lastCursor: "null",
  unknownCursor: "invalid",
  unknownStatus: "invalid",
  limitOutOfRange: "refused",
  outOfRange: 400,
  foreignFields: "ignored",
  nullOptional: "absent",
  emptyMessages: "refused",
  maxTokensBelowOne: "refused",
  topPBeyondOne: "refused",
  contextCounts: "messages",
  seedReproduces: true,
  seedBinds: "messages",
  failedJob: { status: 500, code: "job_failed" },
  lineEnding: "\n",
  streamComments: false,
  tokensPerChunk: 1,
  usageInStream: false,
  streamSettlement: "trailer",
  brokenStream: "cut",
  matchingDispute: "full",
  secondDispute: 409,
  disputeOfUnfinished: 409,
  capitalHash: "equal",
  webhookCreated: 201,
  webhookList: "list",
  webhookDeleted: "object",
  webhookTwice: "allowed",
  emptyEvents: "refused",
  repeatedEvents: "accepted",
  emptySecret: "refused",
  failedWebhook: "failed",
  failedWebhookHears: false,
  receiptsWithoutJob: "balance",
  balanceInFlight: "without_locked",
  malformedAuthorization: "invalid_api_key",
  bearerCase: "any",
  unknownModelById: 404,
  notFoundCodes: "specific",
  wrongMethod: 405,
  announcedPath: 404,
  foreignContentType: 415,
  firstFault: "form",
  errorTypes: "specific",
  retryAfter: "told",
  eventIdPerAttempt: false,
  retriesCountFrom: "previous",
  workerEvents: "everyone",
  eventData: "rich",
};
