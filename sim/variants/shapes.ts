/** Variants that differ in one choice of the door each. */
import type { Shape } from "../facade/index.ts";
import type { Variant } from "./variant.ts";

const shaped = (id: string, title: string, shape: Partial<Shape>): Variant => ({ id, title, override: { shape } });

export const shapes: readonly Variant[] = [
  // Sections 2.1, 2.2
  shaped("account-without-key-creation", "The account does not tell when its key was made", {
    accountTellsKeyCreation: false,
  }),
  shaped("topup-time-absent", "A wallet that was never topped up has no `last_topup_at`", { neverToppedUp: "absent" }),
  shaped("unhosted-model-by-id-unknown", "A model that nobody hosts is unknown when it is asked for by its id", {
    unhostedModel: "not_found",
  }),

  // Sections 2.3, 2.5, 4.6
  shaped("times-in-seconds", "Timestamps are whole seconds", { timestamps: "seconds" }),
  shaped("times-in-microseconds", "Timestamps have six digits of a second", { timestamps: "microseconds" }),
  shaped("unknown-fields-absent", "Fields of a job that are not known yet are absent", {
    unknownFieldsOfJob: "absent",
  }),
  shaped("lock-shown-late", "`on_chain` is filled only when the job settles", { lockShownEarly: false }),
  shaped("completed-at-last-token", "`completed_at` is the time of the last token", { completedAt: "last_token" }),
  shaped("unpaid-charge-null", "A failed or refunded job has no charge", { chargeOfUnpaidJob: "null" }),
  shaped("unpaid-charge-locked", "A failed or refunded job shows what had been locked as its charge", {
    chargeOfUnpaidJob: "locked",
  }),
  shaped("oldest-first", "Jobs are listed from the oldest on; `next_cursor` goes with `after`", { jobOrder: "oldest" }),
  shaped("last-cursor-absent", "A last page has no `next_cursor`", { lastCursor: "absent" }),
  shaped("last-cursor-always", "Every page that holds a job has a `next_cursor`", { lastCursor: "last_job" }),
  shaped("unknown-cursor-not-found", "An unknown cursor is answered 404", { unknownCursor: "not_found" }),
  shaped("unknown-cursor-empty", "An unknown cursor gives an empty page", { unknownCursor: "empty" }),
  shaped("unknown-status-empty", "An unknown status gives an empty page", { unknownStatus: "empty" }),
  shaped("limit-clamped", "A `limit` out of range is brought into it", { limitOutOfRange: "clamped" }),

  // Section 4.1, requests
  shaped("ranges-422", "Values out of range are refused with 422", { outOfRange: 422 }),
  shaped("foreign-fields-refused", "Fields that the contract does not have are refused", { foreignFields: "refused" }),
  shaped("nulls-refused", "Optional fields that are null are refused", { nullOptional: "refused" }),
  shaped("empty-messages-answered", "An empty conversation is answered", { emptyMessages: "answered" }),
  shaped("max-tokens-below-one-ignored", "A `max_tokens` of 0 or less is taken as absent", {
    maxTokensBelowOne: "absent",
  }),
  shaped("any-top-p", "`top_p` has no range", { topPBeyondOne: "answered" }),
  shaped("context-counts-bound", "`max_tokens` is held against the context window too", {
    contextCounts: "messages_and_max_tokens",
  }),
  shaped("seed-of-the-body", "A `seed` gives one text to equal bodies, and another as soon as anything differs", {
    seedBinds: "body",
  }),
  shaped("seed-ignored", "`seed` makes no text reproducible", { seedReproduces: false }),
  shaped("failed-job-503", "A request whose job failed is answered 503", {
    failedJob: { status: 503, code: "worker_failed" },
  }),
  shaped("failed-job-502", "A request whose job failed is answered 502", {
    failedJob: { status: 502, code: "upstream_error" },
  }),

  // Section 4.1, streams
  shaped("stream-crlf", "Lines of a stream end in CRLF", { lineEnding: "\r\n" }),
  shaped("stream-comments", "A stream has comment lines", { streamComments: true }),
  shaped("stream-of-large-chunks", "A chunk holds five tokens", { tokensPerChunk: 5 }),
  shaped("stream-tells-usage", "The final chunk of a stream carries `usage`", { usageInStream: true }),
  shaped("stream-settlement-on-job", "A stream ends with `[DONE]`; its settlement is told by the job", {
    streamSettlement: "job",
  }),
  shaped("stream-settlement-in-header", "A stream is held back until its settlement can stand in a header", {
    streamSettlement: "header",
  }),
  shaped("broken-stream-ends", "A stream whose job fails ends without `[DONE]`", { brokenStream: "ended" }),

  // Section 4.7
  shaped("matching-dispute-minimal", "The answer to equal hashes says no more than that no dispute was opened", {
    matchingDispute: "minimal",
  }),
  shaped("matching-dispute-message", "The answer to equal hashes is a message", { matchingDispute: "message" }),
  shaped("second-dispute-422", "A second dispute is refused with 422", { secondDispute: 422 }),
  shaped("second-dispute-repeats", "A second dispute is answered as the first", { secondDispute: "repeat" }),
  shaped("dispute-of-unfinished-422", "A dispute of a job that is not completed is refused with 422", {
    disputeOfUnfinished: 422,
  }),
  shaped("capital-hash-refused", "A hash in capital digits is refused", { capitalHash: "refused" }),
  shaped("capital-hash-differs", "A hash in capital digits is another hash", { capitalHash: "different" }),

  // Sections 4.8 to 4.10
  shaped("webhook-created-200", "A webhook's creation is answered 200", { webhookCreated: 200 }),
  shaped("webhooks-in-array", "Webhooks are listed in a bare array", { webhookList: "array" }),
  shaped("webhooks-by-name", "Webhooks are listed under their name", { webhookList: "webhooks" }),
  shaped("webhook-deleted-204", "A webhook's deletion is answered 204", { webhookDeleted: "no_content" }),
  shaped("webhook-deleted-empty", "A webhook's deletion is answered with an empty object", {
    webhookDeleted: "empty_object",
  }),
  shaped("webhook-twice-conflicts", "The same URL twice is refused with 409", { webhookTwice: "conflict" }),
  shaped("empty-events-accepted", "A webhook may subscribe nothing", { emptyEvents: "accepted" }),
  shaped("repeated-events-refused", "An event name given twice is refused", { repeatedEvents: "refused" }),
  shaped("empty-secret-accepted", "A secret may be empty", { emptySecret: "accepted" }),
  shaped("failed-webhook-disabled", "The failed state of a webhook is called `disabled`", {
    failedWebhook: "disabled",
  }),
  shaped("failed-webhook-hears", "A failed webhook is still sent new events", { failedWebhookHears: true }),

  // Section 4.11, 4.1
  shaped("receipts-of-jobs-only", "Answers that made no job have no receipt headers", { receiptsWithoutJob: "none" }),
  shaped("balance-with-locked", "The balance counts units that are locked", { balanceInFlight: "with_locked" }),

  // Sections 5, 7
  shaped("malformed-authorization-missing", "A malformed `Authorization` is taken as none", {
    malformedAuthorization: "missing_api_key",
  }),
  shaped("bearer-exact", "The word `Bearer` is taken in one spelling only", { bearerCase: "exact" }),
  shaped("unknown-model-by-id-400", "An unknown model asked for by its id is answered 400", { unknownModelById: 400 }),
  shaped("one-code-for-404", "Every 404 has the code `not_found`", { notFoundCodes: "generic" }),
  shaped("wrong-method-404", "A method that a path does not take is answered 404", { wrongMethod: 404 }),
  shaped("announced-path-501", "A path that is announced for later is answered 501", { announcedPath: 501 }),
  shaped("foreign-type-400", "A body of another content type is refused with 400", { foreignContentType: 400 }),
  shaped("foreign-type-read", "A body is read as JSON whatever its content type", {
    foreignContentType: "read_anyway",
  }),
  shaped("model-before-form", "An unknown model is told before a fault of form", { firstFault: "model" }),
  shaped("generic-error-types", "Errors have two types beyond the three that are shown", { errorTypes: "generic" }),
  shaped("retry-after-untold", "A 503 does not tell how long to wait", { retryAfter: "untold" }),

  // Section 6
  shaped("event-id-per-attempt", "Every attempt has an event id of its own", { eventIdPerAttempt: true }),
  shaped("retries-count-from-first", "Delays are counted from the first attempt", { retriesCountFrom: "first" }),
  shaped("slashing-heard-by-concerned", "Only the wallet of the job hears of a slashing", {
    workerEvents: "concerned",
  }),
  shaped("bare-event-data", "Events whose data is not shown carry a job id at most", { eventData: "bare" }),
];
