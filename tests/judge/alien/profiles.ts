/** The alien's profiles: choices that differ from the plain ones, by name. Each is an honest service. */
import { type Choices, ONE_MODEL, TWO_MODELS, WIDE_MODELS } from "./choices.ts";

/** Choices that differ from the plain ones, by name: each an honest service. */
export const PROFILES: Readonly<Record<string, Partial<Choices>>> = {
  plain: {},
  "slow-chain": {
    ...{ blockTime: 12_000, settleAfter: 45_000, shows: "with-locks", refundSealed: true, answers: "proof" },
    ...{
      time: "seconds",
      order: "oldest",
      lastCursor: "absent",
      models: TWO_MODELS,
      price: "pro-rata",
      edge: 512,
      guess: 2_048,
    },
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
    seeded: true,
    ...{ blockTime: 100, settleAfter: 1, firstToken: 5, perToken: 1, tokensPerChunk: 40, usageChunk: "last" },
    ...{ order: "oldest", lastCursor: "given", time: "offset", ids: "short", matching: "result", hookList: "named" },
    ...{ settlement: "header", answers: "settled", unpaidCharge: null, edge: 550, guess: 500, absentMakes: "refunded" },
    ...{ afterVerdict: "disputed", threshold: 50, retriesFrom: "failure", failed: 503 },
  },
  unhurried: {
    ...{ blockTime: 5_000, settleAfter: 20_000, firstToken: 2_500, perToken: 35, answers: "settled", time: "seconds" },
    ...{ models: TWO_MODELS, brand: "acme", shows: "with-locks", lowAt: "lock", order: "oldest", settlement: "header" },
    ...{ notFound: "resource_missing", comments: true, unfinished: "absent" },
  },
  "early-teller": {
    ...{
      unfinished: "early",
      statuses: "no-settling",
      settlingDispute: "refused",
      shows: "with-locks",
      receiptShows: "free",
      hex: "mixed",
    },
    ...{ refusalShows: "account", failedReturns: "sealed", estimate: "within", lockFactor: 2, eventHex: "upper" },
    ...{ price: "pro-rata", rounding: "nearest", floored: true, edge: 499, disputeStatus: 201, queue: "slow" },
    ...{ time: "microseconds", hookList: "keyed", besideCursor: "nearest", capitalHeaders: true, answers: "proof" },
  },
  "odd-streams": {
    ...{
      seeded: true,
      headAt: "arrival",
      roleChunk: "empty",
      emptyDeltas: true,
      streamFields: true,
      torn: true,
      eol: "\r\n",
    },
    ...{ broken: "error-event", brokenAfter: 4, extras: true, usageChunk: "own", settlement: "trailer" },
    ...{
      statuses: "pending-only",
      settlingDispute: "refused",
      queue: "shuffled",
      eventIds: "new",
      comments: true,
      order: "oldest",
    },
    ...{ receiptShows: "with-locks", price: "pro-rata-beyond", rounding: "down", edge: 475, unpaidCharge: "locked" },
    ...{ besideCursor: "nearest", twoCursors: "refused", hookDeleted: "accepted", hookList: "grouped" },
  },
  narrow: {
    ...{ jsonOnly: true, mostBytes: 100_000, mostMessages: 64, boundCounts: true, otherMethod: 405, closes: true },
    ...{ chunked: true, keyBeforeBody: false, capitalHeaders: true, price: "started", edge: 530, conflict: 422 },
    ...{
      noVerdict: "settled",
      afterVerdict: "failed",
      disputeStatus: 202,
      receiptsAlways: true,
      twoCursors: "refused",
    },
    ...{ answers: "settled", settleAfter: 9_000, failedReturns: "sealed", blockTime: 6_000, shows: "with-locks" },
  },
  "stern-court": {
    ...{
      prefix: "/gateway/inference",
      failedCode: "no_workers_available",
      slashedLeaves: true,
      noVerdict: "refunded",
      afterVerdict: "refunded",
      secondDispute: "repeated",
    },
    ...{ models: TWO_MODELS, burst: 61, burstAs: "object", brokenAfter: 3, broken: "cut", eventData: "bare" },
    ...{
      unfinished: "early",
      estimate: "within",
      refusalShows: "account",
      shows: "with-locks",
      neverTopped: "created",
    },
  },
  "late-settlement": {
    ...{ settleAfter: 100_000, blockTime: 10_000, models: TWO_MODELS, unfinished: "early", failedReturns: "sealed" },
    ...{ statuses: "pending-only", settlingDispute: "refused", completedAt: "last-token", order: "oldest" },
  },
  wide: {
    models: WIDE_MODELS,
    mostBytes: 4 * 1024 * 1024,
    burst: 97,
    burstAs: "date",
    price: "pro-rata",
    rounding: "down",
  },
  bursts: { burst: 23, clock: "offset", blockTime: 500, settleAfter: 200, firstToken: 20, perToken: 2, comments: true },
  "clock-that-flows": { clock: "offset", blockTime: 400, settleAfter: 300, firstToken: 30, perToken: 2, hex: "upper" },
  "no-behaviours": { capabilities: ["clock", "wallets", "keys", "deliveries"] },
  "behaviours-alone": { capabilities: ["behaviours", "arbitration"], clock: "wall", ...fast() },
  "clock-alone": { capabilities: ["clock"], time: "seconds", order: "oldest" },
  "wallets-alone": { capabilities: ["wallets"], clock: "wall", ...fast(), models: TWO_MODELS },
  "early-black-box": {
    ...{ capabilities: [], clock: "wall", ...fast(), unfinished: "early", shows: "with-locks", headAt: "arrival" },
    ...{ roleChunk: "empty", emptyDeltas: true, time: "microseconds", queue: "shuffled", burst: 19, burstAs: "html" },
    ...{ jsonOnly: true, mostMessages: 40, keyBeforeBody: false, receiptsAlways: true, hookList: "keyed", torn: true },
    ...{ otherMethod: 405, mostBytes: 60_000, settlement: "trailer", broken: "error-event", closes: true },
  },
  "black-box": { capabilities: [], clock: "wall", ...fast(), models: ONE_MODEL, eol: "\r\n", comments: true },
};

function fast(): Partial<Choices> {
  return { blockTime: 150, settleAfter: 100, firstToken: 15, perToken: 1 };
}
