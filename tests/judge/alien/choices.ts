/**
 * What the alien service chose where the contract is open, and how fast it is. Written from the contract alone: it shares no line with the
 * simulated network, so that what both are judged by cannot have been learned from either.
 */

export type Tier = "lite" | "standard" | "pro" | "max";

export interface AlienModel {
  readonly id: string;
  readonly tier: Tier;
  readonly parameters: string;
  readonly window: number;
}

export const CAPABILITIES = ["clock", "wallets", "keys", "behaviours", "workers", "arbitration", "deliveries"] as const;
export type Capability = (typeof CAPABILITIES)[number];

export interface Choices {
  readonly brand: string;
  /** Path before `/v1` of the base address. */
  readonly prefix: string;
  readonly clock: "manual" | "offset" | "wall";
  readonly capabilities: readonly Capability[];
  readonly threshold: number;
  readonly models: readonly AlienModel[];

  // How long things take, in milliseconds of the service's time
  readonly blockTime: number;
  /** From the proof's block to the settlement. */
  readonly settleAfter: number;
  readonly firstToken: number;
  readonly perToken: number;
  /** A plain completion is answered when the last token is there, when its proof is on-chain, or when it has settled. */
  /** The same request brings the same text. */
  readonly seeded: boolean;
  readonly answers: "last-token" | "proof" | "settled";
  /** A refund waits for its block before it is told. */
  readonly refundSealed: boolean;

  // Money
  readonly price: "flat-plus-started" | "started" | "pro-rata" | "pro-rata-beyond";
  readonly edge: number;
  /** A long completion costs at least the flat price. */
  readonly floored: boolean;
  /** How a price by the thousandth becomes whole. */
  readonly rounding: "up" | "nearest" | "down";
  /** How many tokens it locks for where a request has no `max_tokens`; more than these are not paid for. */
  readonly guess: number;
  /** How generous an estimate is: so many times what the most tokens would cost. */
  readonly lockFactor: number;
  /** A balance that pays the flat price and not the estimate: refused, or answered within it. */
  readonly estimate: "refused" | "within";
  readonly shows: "free" | "with-locks";
  /** What receipts and events show, where it is not what the account does. */
  readonly receiptShows: "same" | "free" | "with-locks";
  /** The balance that a 402 tells counts locked units as the account does, were it more than is required. */
  readonly refusalShows: "below" | "account";
  /** The units of a failed job come back with the failure, or by a transaction of their own. */
  readonly failedReturns: "at-once" | "sealed";
  readonly unpaidCharge: 0 | "locked" | "absent" | null;
  /** When `credit.low` is looked at, and whether at each charge. */
  readonly lowAt: "lock" | "charge";
  readonly lowEach: boolean;
  readonly afterVerdict: "settled" | "disputed" | "refunded" | "failed";
  /** What becomes of a dispute after 24 hours without a verdict. */
  readonly noVerdict: "stays" | "settled" | "refunded";
  /** A worker whose stake was taken leaves the network. */
  readonly slashedLeaves: boolean;

  // Forms
  readonly time: "milliseconds" | "seconds" | "offset" | "microseconds";
  readonly ids: "uuid" | "short" | "odd";
  readonly hex: "lower" | "upper" | "mixed";
  /** Deliveries write their hex digits in capitals, whatever answers do. */
  readonly eventHex: "same" | "upper";
  readonly extras: boolean;
  readonly charset: boolean;
  readonly pretty: boolean;
  /** `early`: what is known is told as soon as it is, the lock as the charge. */
  readonly unfinished: "absent" | "null" | "early";
  /** Which statuses an unfinished job is seen in. */
  readonly statuses: "all" | "no-settling" | "pending-only";
  readonly completedAt: "last-token" | "settlement";
  readonly neverTopped: "absent" | "null" | "created";
  readonly keyCreated: boolean;
  readonly receiptsAlways: boolean;
  /** `X-Service-Job-Id` for `x-service-job-id`. */
  readonly capitalHeaders: boolean;
  /** Without `content-length`, and in pieces. */
  readonly chunked: boolean;
  /** Every answer closes its connection. */
  readonly closes: boolean;

  // Lists
  readonly order: "newest" | "oldest";
  readonly lastCursor: "absent" | "null" | "given";
  readonly limits: 400 | 422 | "clamp";
  readonly unknownCursor: 400 | 404 | 422 | "empty";
  readonly unknownStatus: 400 | 422 | "empty";
  /** Of what a cursor leaves, the head of the list or what is next to the cursor; and whether both cursors may come together. */
  readonly besideCursor: "head" | "nearest";
  readonly twoCursors: "both" | "refused";
  readonly hookList: "array" | "data" | "list" | "named" | "keyed" | "grouped";

  // Refusals
  readonly invalid: 400 | 422;
  readonly unknownFields: "ignored" | "refused";
  readonly nulls: "absent" | "refused";
  readonly unknownModel: 404 | 400;
  readonly notFound: string;
  readonly malformedKey: "invalid_api_key" | "missing_api_key";
  readonly bearerAnyCase: boolean;
  readonly keyBeforeBody: boolean;
  /** A body that does not call itself JSON is refused with 415. */
  readonly jsonOnly: boolean;
  /** Bytes of a body; more are refused with 413. */
  readonly mostBytes: number;
  readonly mostMessages: number;
  /** `max_tokens` is held against the context window, too. */
  readonly boundCounts: boolean;
  /** How a known path answers another method. */
  readonly otherMethod: 404 | 405;
  readonly conflict: 409 | 422;
  readonly secondDispute: "refused" | "repeated";
  readonly settlingDispute: "allowed" | "refused";
  readonly capitalHash: "equal" | "different" | "refused";
  readonly matching: "plain" | "result" | "message";
  readonly failed: 500 | 502 | 503;
  readonly failedCode: "own" | "no_workers_available";
  readonly absentMakes: "nothing" | "failed" | "refunded";
  readonly retryAfter: boolean;
  readonly types: "by-code" | "by-status" | "one";
  /** Every so many requests of one connection burst are answered 429; 0 never. */
  readonly burst: number;
  readonly burstAs: "text" | "object" | "date" | "html";

  // Streams
  readonly eol: "\n" | "\r\n";
  readonly comments: boolean;
  readonly tokensPerChunk: number;
  readonly usageChunk: "none" | "last" | "own";
  readonly settlement: "header" | "trailer" | "job";
  readonly broken: "error" | "cut" | "ended" | "error-event";
  /** Tokens that a worker tells before it drops out. */
  readonly brokenAfter: number;
  /** When the head of a stream is sent: with its first token, or at once, before any worker is known. */
  readonly headAt: "first-token" | "arrival";
  /** Whether the first chunk carries text, or the role with an empty one. */
  readonly roleChunk: "text" | "empty";
  /** Chunks with an empty content among the others; other fields of the stream format; lines cut into several writes. */
  readonly emptyDeltas: boolean;
  readonly streamFields: boolean;
  readonly torn: boolean;

  // Webhooks
  readonly hookCreated: 200 | 201;
  readonly hookDeleted: "empty" | "object" | "accepted";
  readonly sameUrl: "two" | "conflict";
  readonly failedHook: string;
  readonly failedHookHears: boolean;
  readonly retriesFrom: "previous" | "failure" | "first";
  readonly eventIds: "kept" | "new";
  readonly workerEvents: "all" | "concerned";
  readonly eventData: "rich" | "bare";
  /** Deliveries wait in a queue: none, so many milliseconds, or each another while, so that they overtake one another. */
  readonly queue: "none" | "slow" | "shuffled";
  readonly disputeStatus: 200 | 201 | 202;
}

const SMALL: AlienModel = { id: "moss/tiny-2b", tier: "lite", parameters: "2B", window: 4_096 };
const LARGE: AlienModel = { id: "granite-80b.chat", tier: "max", parameters: "80B", window: 16_384 };

/** Only the outermost tiers. */
export const TWO_MODELS: readonly AlienModel[] = [SMALL, LARGE];
export const FIVE_MODELS: readonly AlienModel[] = [
  LARGE,
  { id: "slate-24b", tier: "pro", parameters: "24B", window: 8_192 },
  { id: "fern-7.5b", tier: "standard", parameters: "7.5B", window: 8_192 },
  SMALL,
  { id: "moss/tiny-2b-long", tier: "lite", parameters: "2.0B", window: 65_536 },
];
export const ONE_MODEL: readonly AlienModel[] = [{ id: "fern-8b", tier: "standard", parameters: "8B", window: 2_048 }];

/** Windows as wide as those of the launch table. */
export const WIDE_MODELS: readonly AlienModel[] = [
  { id: "vast-1.7b", tier: "lite", parameters: "1.7B", window: 131_072 },
  { id: "vast-27b", tier: "pro", parameters: "27B", window: 131_072 },
];

/** The choices that a plain reading of the contract suggests. */
export const PLAIN: Choices = {
  ...{
    brand: "service",
    prefix: "",
    failedCode: "own",
    clock: "manual",
    capabilities: CAPABILITIES,
    threshold: 100,
    models: FIVE_MODELS,
  },
  ...{
    blockTime: 2_000,
    settleAfter: 3_000,
    firstToken: 350,
    perToken: 20,
    answers: "last-token",
    refundSealed: false,
    seeded: false,
  },
  ...{
    price: "flat-plus-started",
    edge: 500,
    guess: 1_000_000,
    floored: false,
    shows: "free",
    unpaidCharge: 0,
    lowAt: "charge",
  },
  ...{ lowEach: false, afterVerdict: "settled", time: "milliseconds", ids: "uuid", hex: "lower", extras: false },
  ...{ charset: false, pretty: false, unfinished: "null", completedAt: "settlement", neverTopped: "null" },
  ...{ keyCreated: true, receiptsAlways: false, order: "newest", lastCursor: "null", limits: 400, unknownCursor: 404 },
  ...{
    unknownStatus: 400,
    hookList: "list",
    invalid: 400,
    unknownFields: "ignored",
    nulls: "absent",
    unknownModel: 404,
  },
  ...{
    notFound: "not_found",
    malformedKey: "invalid_api_key",
    bearerAnyCase: true,
    keyBeforeBody: true,
    conflict: 409,
  },
  ...{ secondDispute: "refused", settlingDispute: "allowed", capitalHash: "equal", matching: "plain", failed: 502 },
  ...{ absentMakes: "nothing", retryAfter: true, types: "by-code", burst: 0, eol: "\n", comments: false },
  ...{
    tokensPerChunk: 1,
    usageChunk: "none",
    settlement: "job",
    broken: "error",
    hookCreated: 201,
    hookDeleted: "empty",
  },
  ...{ sameUrl: "two", failedHook: "failed", failedHookHears: false, retriesFrom: "previous", eventIds: "kept" },
  ...{ workerEvents: "all", eventData: "rich", queue: "none", disputeStatus: 200 },
  ...{ rounding: "up", lockFactor: 1, estimate: "refused", receiptShows: "same", refusalShows: "below" },
  ...{ failedReturns: "at-once", noVerdict: "stays", slashedLeaves: false, eventHex: "same", statuses: "all" },
  ...{ capitalHeaders: false, chunked: false, closes: false, besideCursor: "head", twoCursors: "both" },
  ...{ jsonOnly: false, mostBytes: 2 * 1024 * 1024, mostMessages: 100_000, boundCounts: false, otherMethod: 404 },
  ...{ burstAs: "text", brokenAfter: 0, headAt: "first-token", roleChunk: "text", emptyDeltas: false },
  ...{ streamFields: false, torn: false },
};
