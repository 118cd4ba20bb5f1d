/** Variants that differ in much at once: choices that are each open may be made together. */
import type { Shape } from "../facade/index.ts";
import { rules } from "../facade/overrides.ts";
import type { Variant } from "./variant.ts";

/** Every choice of the door otherwise than the default has it, as far as they go together. */
const otherwise: Partial<Shape> = {
  accountTellsKeyCreation: false,
  neverToppedUp: "absent",
  unhostedModel: "not_found",
  timestamps: "seconds",
  unknownFieldsOfJob: "absent",
  lockShownEarly: false,
  completedAt: "last_token",
  chargeOfUnpaidJob: "locked",
  jobOrder: "oldest",
  lastCursor: "absent",
  unknownCursor: "empty",
  unknownStatus: "empty",
  limitOutOfRange: "clamped",
  outOfRange: 422,
  foreignFields: "refused",
  nullOptional: "refused",
  emptyMessages: "answered",
  maxTokensBelowOne: "absent",
  topPBeyondOne: "answered",
  contextCounts: "messages_and_max_tokens",
  seedReproduces: false,
  failedJob: { status: 502, code: "upstream_error" },
  lineEnding: "\r\n",
  streamComments: true,
  tokensPerChunk: 3,
  usageInStream: true,
  streamSettlement: "job",
  brokenStream: "ended",
  matchingDispute: "message",
  secondDispute: "repeat",
  disputeOfUnfinished: 422,
  capitalHash: "refused",
  webhookCreated: 200,
  webhookList: "array",
  webhookDeleted: "no_content",
  webhookTwice: "conflict",
  emptyEvents: "accepted",
  repeatedEvents: "refused",
  emptySecret: "accepted",
  failedWebhook: "disabled",
  failedWebhookHears: true,
  receiptsWithoutJob: "none",
  balanceInFlight: "with_locked",
  malformedAuthorization: "missing_api_key",
  bearerCase: "exact",
  unknownModelById: 400,
  notFoundCodes: "generic",
  wrongMethod: 404,
  announcedPath: 501,
  foreignContentType: 400,
  firstFault: "model",
  errorTypes: "generic",
  retryAfter: "untold",
  eventIdPerAttempt: true,
  retriesCountFrom: "first",
  workerEvents: "concerned",
  eventData: "bare",
};

/** Every second entry, from the first or from the second on. */
function half(from: 0 | 1): Partial<Shape> {
  return Object.fromEntries(Object.entries(otherwise).filter((_, index) => index % 2 === from)) as Partial<Shape>;
}

export const combined: readonly Variant[] = [
  {
    id: "everything-otherwise",
    title: "Every open choice of the door is made otherwise",
    override: { shape: otherwise },
  },
  { id: "half-otherwise", title: "Every second open choice is made otherwise", override: { shape: half(0) } },
  {
    id: "other-half-otherwise",
    title: "The other half of the open choices is made otherwise",
    override: { shape: half(1) },
  },
  {
    id: "oldest-first-with-empty-pages",
    title: "Oldest first, cursors on every page, unknown ones empty, limits clamped",
    override: {
      shape: {
        jobOrder: "oldest",
        lastCursor: "last_job",
        unknownCursor: "empty",
        unknownStatus: "empty",
        limitOutOfRange: "clamped",
      },
    },
  },
  {
    id: "strict-door",
    title: "Refuses whatever may be refused, with 422",
    override: {
      shape: {
        outOfRange: 422,
        foreignFields: "refused",
        nullOptional: "refused",
        repeatedEvents: "refused",
        bearerCase: "exact",
        capitalHash: "refused",
      },
    },
  },
  {
    id: "lenient-door",
    title: "Accepts whatever may be accepted",
    override: {
      shape: {
        emptyMessages: "answered",
        maxTokensBelowOne: "absent",
        topPBeyondOne: "answered",
        limitOutOfRange: "clamped",
        emptyEvents: "accepted",
        emptySecret: "accepted",
        foreignContentType: "read_anyway",
        unknownCursor: "empty",
        unknownStatus: "empty",
      },
    },
  },
  {
    id: "slow-chain-with-locked",
    title: "A slow chain with confirmations, a balance that counts locked units, settlements on jobs only",
    override: {
      shape: { balanceInFlight: "with_locked", streamSettlement: "job", lockShownEarly: false },
      world: () => ({ chain: { blockTime: 1_000_000, confirmations: 3 } }),
    },
  },
  {
    id: "arbitration-otherwise",
    title: "Disputes repeat, verdicts compensate and leave the job disputed",
    override: {
      shape: { secondDispute: "repeat", matchingDispute: "minimal", disputeOfUnfinished: 422 },
      ...rules(() => ({
        compensation: (fraudulent, charged) => (fraudulent ? charged : 0),
        statusAfterVerdict: () => "disputed",
      })),
    },
  },
];
