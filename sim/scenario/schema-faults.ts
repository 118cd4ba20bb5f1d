/** The parts of the scenario's schema that tell of its network and of what goes wrong. */
import { LINK_CLASSES } from "../network/index.ts";
import { count, draws, duration, object, share } from "./schema-words.ts";

export const fault = object("Something that goes wrong.", ["fault", "at"], {
  fault: {
    enum: ["crash", "stall", "slow", "drop", "partition", "clog"],
    description:
      "crash: workers drop their jobs and take none. stall: they stand still, then go on. slow: what they take meanwhile takes `factor` times as long. drop: a share of the running jobs is dropped in mid-stream. partition: nothing that is sent over the links passes before the end. clog: what is sent is under way `factor` times as long.",
  },
  workers: { type: "string", description: 'Whom it is meant for: the name of a class, "native", "browser" or "all".' },
  link: { enum: LINK_CLASSES, description: "partition, clog: which links with the gateway." },
  party: {
    type: ["string", "integer"],
    description:
      "partition, clog: one party only: the name of a population (its own link, or that of its webhook), or the number of a worker.",
  },
  region: { type: "string", description: "Only those in this region." },
  share: {
    ...share,
    description: "How many workers it strikes (of the jobs, for drop), drawn anew each time; all unless told.",
  },
  at: { ...duration, description: `When it begins. ${duration.description}` },
  for: { ...duration, description: `How long it lasts. ${duration.description}` },
  every: {
    ...duration,
    description: `Time from one beginning to the next, until the duration ends; once unless told. ${duration.description}`,
  },
  factor: { type: "number", exclusiveMinimum: 0, description: "slow, clog: how many times as long." },
});

const link = (whose: string) =>
  object(`Links between ${whose} and the gateway, both ways.`, [], {
    delay: { ...draws, description: `Time under way; none unless told. ${draws.description}` },
    jitter: { ...draws, description: `Added to the delay of each message. ${draws.description}` },
    loss: { ...share, maximum: 0.99, description: "How often a transmission is lost and has to be sent again." },
    resend_after: {
      ...duration,
      description: `Time until then, doubled with each further loss; 1s unless told. ${duration.description}`,
    },
    duplication: { ...share, description: "How often a request arrives twice, and makes two jobs." },
    ordered: { type: "boolean", description: "Whether a message waits for those sent before it; false unless told." },
    bandwidth: {
      type: "number",
      exclusiveMinimum: 0,
      description: "Kilobytes a second; unlimited unless told. A token is 4 bytes.",
    },
  });

/** A clock that is not true. */
export const clock = (whose: string) =>
  object(whose, [], {
    drift_ppm: {
      type: "integer",
      minimum: -100_000,
      maximum: 100_000,
      description: "Microseconds that it gains in a second.",
    },
    jumps: {
      type: "array",
      description: "Times at which it is set.",
      items: object("A jump.", ["at"], {
        at: { ...duration, description: `When. ${duration.description}` },
        ahead: { ...duration, description: `By how much forwards. ${duration.description}` },
        back: { ...duration, description: `By how much backwards. ${duration.description}` },
      }),
    },
  });

export const network = object(
  "How long messages take, and what becomes of them; no time and nothing unless told.",
  [],
  {
    clients: link("clients"),
    workers: link("workers"),
    webhooks: link("webhook endpoints"),
    gateway_clock: clock("A gateway's clock that is not true."),
  },
);

/** What can go wrong with the chain. */
export const CHAIN_FAULTS = [
  "slow_blocks",
  "stalled",
  "dropped",
  "replaced",
  "reverted",
  "reorganised",
  "rpc_errors",
  "rpc_hangs",
] as const;

export const chainFault = object("Something that goes wrong with the chain.", ["fault", "at"], {
  fault: {
    enum: CHAIN_FAULTS,
    description:
      "slow_blocks: blocks come at a longer block time. stalled: no block is sealed. dropped, replaced, reverted: a share of the gateway's transactions is lost on its way, stands behind one with a higher fee, or runs out of gas. reorganised: the newest blocks are undone. rpc_errors, rpc_hangs: the gateway's node answers with errors, or not at all.",
  },
  at: { ...duration, description: `When it begins. ${duration.description}` },
  for: { ...duration, description: `How long it lasts; a reorganisation lasts no time. ${duration.description}` },
  share: { ...share, description: "dropped, replaced, reverted: of how many transactions; all unless told." },
  block_time: {
    ...duration,
    description: `slow_blocks: time between boundaries meanwhile, a multiple of the chain's own. ${duration.description}`,
  },
  depth: count(1, "reorganised: how many block times deep it goes."),
});
