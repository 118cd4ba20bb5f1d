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
  readonly answers: "last-token" | "proof" | "settled";
  /** A refund waits for its block before it is told. */
  readonly refundSealed: boolean;

  // Money
  readonly price: "flat-plus-started" | "started" | "pro-rata" | "pro-rata-beyond";
  readonly edge: number;
  /** A long completion costs at least the flat price. */
  readonly floored: boolean;
  readonly shows: "free" | "with-locks";
  readonly unpaidCharge: 0 | "locked" | "absent" | null;
  /** When `credit.low` is looked at, and whether at each charge. */
  readonly lowAt: "lock" | "charge";
  readonly lowEach: boolean;
  readonly afterVerdict: "settled" | "disputed" | "refunded";

  // Forms
  readonly time: "milliseconds" | "seconds" | "offset";
  readonly ids: "uuid" | "short" | "odd";
  readonly hex: "lower" | "upper" | "mixed";
  readonly extras: boolean;
  readonly charset: boolean;
  readonly pretty: boolean;
  readonly unfinished: "absent" | "null";
  readonly completedAt: "last-token" | "settlement";
  readonly neverTopped: "absent" | "null" | "created";
  readonly keyCreated: boolean;
  readonly receiptsAlways: boolean;

  // Lists
  readonly order: "newest" | "oldest";
  readonly lastCursor: "absent" | "null" | "given";
  readonly limits: 400 | 422 | "clamp";
  readonly unknownCursor: 400 | 404 | 422 | "empty";
  readonly unknownStatus: 400 | 422 | "empty";
  readonly hookList: "array" | "data" | "list" | "named";

  // Refusals
  readonly invalid: 400 | 422;
  readonly unknownFields: "ignored" | "refused";
  readonly nulls: "absent" | "refused";
  readonly unknownModel: 404 | 400;
  readonly notFound: string;
  readonly malformedKey: "invalid_api_key" | "missing_api_key";
  readonly bearerAnyCase: boolean;
  readonly keyBeforeBody: boolean;
  readonly conflict: 409 | 422;
  readonly secondDispute: "refused" | "repeated";
  readonly settlingDispute: "allowed" | "refused";
  readonly capitalHash: "equal" | "different" | "refused";
  readonly matching: "plain" | "result" | "message";
  readonly failed: 500 | 502 | 503;
  readonly absentMakes: "nothing" | "failed" | "refunded";
  readonly retryAfter: boolean;
  readonly types: "by-code" | "by-status" | "one";
  /** Every so many requests of one connection burst are answered 429; 0 never. */
  readonly burst: number;

  // Streams
  readonly eol: "\n" | "\r\n";
  readonly comments: boolean;
  readonly tokensPerChunk: number;
  readonly usageChunk: "none" | "last" | "own";
  readonly settlement: "header" | "trailer" | "job";
  readonly broken: "error" | "cut" | "ended";

  // Webhooks
  readonly hookCreated: 200 | 201;
  readonly hookDeleted: "empty" | "object";
  readonly sameUrl: "two" | "conflict";
  readonly failedHook: string;
  readonly failedHookHears: boolean;
  readonly retriesFrom: "previous" | "failure" | "first";
  readonly eventIds: "kept" | "new";
  readonly workerEvents: "all" | "concerned";
  readonly eventData: "rich" | "bare";
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

/** The choices that a plain reading of the contract suggests. */
export const PLAIN: Choices = {
  ...{ brand: "service", clock: "manual", capabilities: CAPABILITIES, threshold: 100, models: FIVE_MODELS },
  ...{
    blockTime: 2_000,
    settleAfter: 3_000,
    firstToken: 350,
    perToken: 20,
    answers: "last-token",
    refundSealed: false,
  },
  ...{ price: "flat-plus-started", edge: 500, floored: false, shows: "free", unpaidCharge: 0, lowAt: "charge" },
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
  ...{ workerEvents: "all", eventData: "rich" },
};

/** Choices that differ from the plain ones, by name: each an honest service. */
export const PROFILES: Readonly<Record<string, Partial<Choices>>> = {
  plain: {},
  "slow-chain": {
    ...{ blockTime: 12_000, settleAfter: 45_000, shows: "with-locks", refundSealed: true, answers: "proof" },
    ...{ time: "seconds", order: "oldest", lastCursor: "absent", models: TWO_MODELS, price: "pro-rata", edge: 512 },
    ...{ settlement: "trailer", eol: "\r\n", comments: true, hex: "upper", hookList: "array", hookDeleted: "object" },
    ...{ retriesFrom: "first", eventIds: "new", completedAt: "last-token", unfinished: "absent", ids: "odd" },
  },
  strict: {
    ...{
      unknownFields: "refused",
      nulls: "refused",
      invalid: 422,
      limits: 422,
      unknownCursor: 422,
      unknownStatus: 422,
    },
    ...{ conflict: 422, settlingDispute: "refused", capitalHash: "refused", bearerAnyCase: false, sameUrl: "conflict" },
    ...{ unknownModel: 400, malformedKey: "missing_api_key", failed: 500, types: "one", price: "started", edge: 450 },
    ...{ answers: "settled", neverTopped: "absent", keyCreated: false, eventData: "bare", workerEvents: "concerned" },
    ...{ broken: "cut", hookCreated: 200, notFound: "unknown_object", models: ONE_MODEL, unpaidCharge: "absent" },
  },
  lenient: {
    ...{
      limits: "clamp",
      unknownCursor: "empty",
      unknownStatus: "empty",
      secondDispute: "repeated",
      keyBeforeBody: false,
    },
    ...{
      matching: "message",
      hookList: "data",
      lowAt: "lock",
      lowEach: true,
      failedHook: "disabled",
      failedHookHears: true,
    },
    ...{ extras: true, charset: true, pretty: true, usageChunk: "own", tokensPerChunk: 5, receiptsAlways: true },
    ...{ capitalHash: "different", types: "by-status", absentMakes: "failed", retryAfter: false, broken: "ended" },
    ...{ afterVerdict: "refunded", price: "pro-rata-beyond", floored: true, unpaidCharge: "locked", hex: "mixed" },
  },
  hurried: {
    ...{ blockTime: 100, settleAfter: 1, firstToken: 5, perToken: 1, tokensPerChunk: 40, usageChunk: "last" },
    ...{ order: "oldest", lastCursor: "given", time: "offset", ids: "short", matching: "result", hookList: "named" },
    ...{ settlement: "header", answers: "settled", unpaidCharge: null, edge: 550, absentMakes: "refunded" },
    ...{ afterVerdict: "disputed", threshold: 50, retriesFrom: "failure", failed: 503 },
  },
  unhurried: {
    ...{ blockTime: 5_000, settleAfter: 20_000, firstToken: 2_500, perToken: 35, answers: "settled", time: "seconds" },
    ...{ models: TWO_MODELS, brand: "acme", shows: "with-locks", lowAt: "lock", order: "oldest", settlement: "header" },
    ...{ notFound: "resource_missing", comments: true, unfinished: "absent" },
  },
  bursts: { burst: 23, clock: "offset", blockTime: 500, settleAfter: 200, firstToken: 20, perToken: 2, comments: true },
  "clock-that-flows": { clock: "offset", blockTime: 400, settleAfter: 300, firstToken: 30, perToken: 2, hex: "upper" },
  "no-behaviours": { capabilities: ["clock", "wallets", "keys", "deliveries"] },
  "behaviours-alone": { capabilities: ["behaviours", "arbitration"], clock: "wall", ...fast() },
  "clock-alone": { capabilities: ["clock"], time: "seconds", order: "oldest" },
  "wallets-alone": { capabilities: ["wallets"], clock: "wall", ...fast(), models: TWO_MODELS },
  "black-box": { capabilities: [], clock: "wall", ...fast(), models: ONE_MODEL, eol: "\r\n", comments: true },
};

function fast(): Partial<Choices> {
  return { blockTime: 150, settleAfter: 100, firstToken: 15, perToken: 1 };
}
