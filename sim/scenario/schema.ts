/**
 * The form of a scenario file, as a JSON Schema (2020-12): for the loader and for editors.
 *
 * The schema says what any reader of one line can see; what needs two lines (a model that no one lists, a stake below the minimum of its kind)
 * is said by `build.ts`.
 */
import { EVENTS } from "../../fixtures/protocol/events.ts";
import { TIERS } from "../../fixtures/protocol/prices.ts";
import { conducts, policies } from "../actors/index.ts";
import { chainFault, clock, fault, network } from "./schema-faults.ts";
import { count, draws, duration, object, share } from "./schema-words.ts";

const model = object("A model of the network.", ["id", "tier"], {
  id: { type: "string", minLength: 1 },
  tier: { enum: TIERS },
  parameters: { type: "string", description: 'Size, such as "8B".' },
  context_window: count(1, "Tokens."),
  memory: {
    type: "number",
    exclusiveMinimum: 0,
    description: "What a worker needs to host it, gigabytes; unlimited workers take any.",
  },
});

const hundredths = (what: string) => count(0, `${what} Hundredths of a unit.`);
const operator = {
  type: "string",
  minLength: 1,
  description: "Whose they are; the report adds up profit and loss of parties with one operator.",
};

const workers = object("Workers that are alike.", ["kind", "count"], {
  name: { type: "string", minLength: 1, description: "Names the class in reports; unique." },
  operator,
  kind: { enum: ["native", "browser"] },
  count: count(0, "How many there are."),
  models: {
    type: ["array", "string"],
    items: { type: "string" },
    description:
      'Ids of the models that each of them hosts; "all"; or "fitting", the first ones listed whose memory fits into theirs together.',
  },
  slots: count(1, "Jobs that one of them runs at once."),
  stake: count(0, "Tokens staked on joining; native workers need at least 1,000."),
  first_token: { ...draws, description: `Time to the first token. ${draws.description}` },
  prompt_token_time: {
    ...duration,
    description: `Further time to the first token for each token of the prompt. ${duration.description}`,
  },
  token_time: { ...draws, description: `Time between output tokens, drawn once a job. ${draws.description}` },
  service: { ...draws, description: `The whole time at the worker, whatever the tokens. ${draws.description}` },
  dishonest: { ...share, description: "How often it posts a proof that is not of what it delivered." },
  silent: { ...share, description: "How often it takes a job and never finishes." },
  failing: { ...share, description: "How often it takes a job and drops it." },
  region: {
    type: "string",
    minLength: 1,
    description: "Where they stand: faults and links can be meant for one region.",
  },
  memory: {
    type: "number",
    exclusiveMinimum: 0,
    description: "Gigabytes; together the models that they host must fit.",
  },
  batching: {
    type: "number",
    minimum: 0,
    description:
      "Share by which each further job that one runs slows its tokens down: 0.1 makes four at once take 1.3 times as long.",
  },
  session: object("When they come and go.", [], {
    joins: { ...draws, description: `Time from the start to joining; at the start unless told. ${draws.description}` },
    stays: { ...draws, description: `How long one stays, to the end unless told. ${draws.description}` },
    away: {
      ...draws,
      description: `How long until it comes back as another worker; never unless told. ${draws.description}`,
    },
    drains: {
      type: "boolean",
      description:
        "Whether one that goes finishes what it has begun; a closed tab does not, and its jobs fail. False unless told.",
    },
  }),
  cost: object("What work costs them.", [], {
    per_job: hundredths("For each job that one takes."),
    per_1k_tokens: hundredths("For a thousand output tokens."),
  }),
  cheats: object("How they cheat. What each conduct does and earns is told in sim/actors/adversaries.", ["how"], {
    how: {
      enum: Object.keys(conducts),
      description:
        "junk: text made of nothing, with a hash that fits it. cheaper-model: a smaller model than asked for. false-hash: a proof that is not of what was delivered. withhold: takes jobs and never delivers.",
    },
    share: { ...share, description: "On how many of their jobs they do; all unless told." },
    pace: { type: "number", minimum: 0, description: "Time that it takes, as a share of honest work's." },
    effort: { type: "number", minimum: 0, description: "What it costs them, as a share of honest work's." },
    resemblance: { ...share, description: "How often not even running the job again shows it." },
  }),
  rejoins: object("Thrown out, each comes back as another worker.", ["after"], {
    after: { ...duration, description: `Time until then. ${duration.description}` },
    cost: hundredths("What a new identity costs."),
  }),
  clock: clock("A clock of theirs that is not true: they drop a job when it says that the job's time is over."),
  works_late: { type: "boolean", description: "Whether it goes on with jobs that timed out, unpaid." },
});

export { CHAIN_FAULTS } from "./schema-faults.ts";

/** How each process of arrivals is told; which fields it needs is checked when the scenario is built. */
export const PROCESSES = ["poisson", "renewal", "deterministic", "bursts", "daily", "closed", "trace"] as const;

const arrivals = object("When requests come.", ["process"], {
  process: {
    enum: PROCESSES,
    description:
      "poisson: at a constant rate. renewal: with independent gaps (gamma, Weibull, lognormal ...). deterministic: evenly. bursts: Poisson at a rate that jumps between states (MMPP). daily: Poisson at a rate that follows the hours of a day. closed: each wallet is a user who thinks, asks, and has the answer before thinking again. trace: as recorded.",
  },
  rate: {
    type: "number",
    exclusiveMinimum: 0,
    description: "poisson, daily: requests a second, on the mean of a day.",
  },
  gap: { ...draws, description: `renewal: time between requests. ${draws.description}` },
  every: { ...duration, description: `deterministic: time between requests. ${duration.description}` },
  states: {
    type: "array",
    minItems: 2,
    description: "bursts: states that follow each other at random; the first is that of the start.",
    items: object("A state of the process.", ["rate", "stay"], {
      rate: { type: "number", minimum: 0, description: "Requests a second while it lasts." },
      stay: { ...duration, description: `How long it lasts on average; exponential. ${duration.description}` },
    }),
  },
  curve: {
    type: "array",
    items: { type: "number", minimum: 0 },
    description: "daily: relative rates at the 24 full hours from midnight on; a usual day unless told.",
  },
  starts_at: {
    ...duration,
    description: `daily: the time of day at which the run begins; midnight unless told. ${duration.description}`,
  },
  think: { ...draws, description: `closed: time from an answer to the user's next request. ${draws.description}` },
  file: { type: "string", description: "trace: CSV file, relative to this one; --trace goes before it." },
});

const clients = object("A population of clients that are alike.", ["name", "arrivals"], {
  name: { type: "string", minLength: 1, description: "Names the population's random streams; unique." },
  region: { type: "string", minLength: 1, description: "Where they are: faults of links can be meant for one region." },
  wallets: count(1, "How many wallets they have."),
  units: count(0, "Units that each wallet starts with."),
  arrivals,
  requests: count(1, "They stop after that many requests."),
  from: { ...duration, description: `They send no request before that time. ${duration.description}` },
  until: { ...duration, description: `They send no request after that time. ${duration.description}` },
  models: {
    type: "object",
    description: "Ids of the models that they ask for, each with an integer weight.",
    minProperties: 1,
    additionalProperties: { type: "integer", minimum: 1 },
  },
  prompt_tokens: {
    ...draws,
    description: `Tokens of a prompt; as in a recorded hour of conversations unless told. A trace brings its own. ${draws.description}`,
  },
  output_tokens: {
    ...draws,
    description: `Tokens of an answer; as in a recorded hour of conversations unless told. A trace brings its own. ${draws.description}`,
  },
  lengths_from: {
    type: "string",
    description:
      "A trace, relative to this file, whose rows give the lengths: each request has those of a row drawn at random.",
  },
  streaming: {
    ...share,
    description: "How many of the requests stream; all unless told. It tells what patience is for.",
  },
  patience: {
    ...draws,
    description: `How long they wait for the first token where they stream, else for the last; then they hang up, and the job goes on and is charged. ${draws.description}`,
  },
  retries: object("What they do about a request that was refused, failed or timed out; nothing unless told.", ["as"], {
    as: {
      enum: ["contract", "careless"],
      description:
        "contract: 5xx only, after what a 503 says, else with exponential backoff (7.3). careless: anything, at once, and when they lose patience too.",
    },
    limit: count(0, "Attempts after the first, at most; 3 unless told."),
    base: { ...duration, description: `First wait of the backoff, 1s unless told. ${duration.description}` },
  }),
  max_tokens: {
    type: ["integer", "string"],
    description: '`max_tokens` of their requests: a number, "none", or "exact" for the length of the answer to come.',
  },
  top_up: object("A wallet with fewer than `below` units buys `units`.", ["below", "units"], {
    below: count(1, "Units."),
    units: count(1, "Units; at least 100."),
    budget: count(1, "Units that a wallet buys so at most, in all."),
  }),
  operator,
  burst: count(2, "Requests that they send at once where others send one, all from one wallet."),
  withdraws: {
    ...share,
    description: "How often a request comes together with a withdrawal of all units, just ahead of the lock.",
  },
  checks: object("How often they compare an answer with the worker's proof, and dispute it.", ["share"], {
    share,
    cost: hundredths("What a look costs them."),
    accuses: { type: "boolean", description: "Whether they dispute what they look at whatever the hashes say." },
    spares: {
      type: "string",
      description: "Name of a class of workers that they never dispute; all others they accuse.",
    },
    after: { ...draws, description: `Time from the last token to the dispute. ${draws.description}` },
  }),
  redeem_at: { ...duration, description: `When they withdraw all unspent units. ${duration.description}` },
  webhook: object("A webhook that hears of their jobs and wallets.", ["events"], {
    events: { type: "array", minItems: 1, items: { enum: EVENTS } },
    success: { ...share, description: "How often the endpoint answers an attempt with 2xx." },
    latency: { ...draws, description: `Time until it answers. ${draws.description}` },
  }),
});

export const scenarioSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "assay scenario",
  ...object("A world to run.", ["workers", "clients"], {
    name: { type: "string", minLength: 1 },
    seed: { type: ["integer", "string"], description: "Names the run's random streams; --seed goes before it." },
    calm_at: {
      ...duration,
      description: `From then on no worker misbehaves, and every request must be served to its end. ${duration.description}`,
    },
    duration: { ...duration, description: `No request comes after that time. ${duration.description}` },
    models: { type: "array", minItems: 1, items: model, description: "The eight launch models unless told." },
    workers: { type: "array", minItems: 1, items: workers },
    clients: { type: "array", minItems: 1, items: clients },
    faults: { type: "array", items: fault, description: "What goes wrong with workers and links, and when." },
    network,
    routing: {
      type: "string",
      minLength: 1,
      description: `Which free worker gets a job: ${Object.keys(policies).join(", ")}; round-robin unless told. Or the path of a module of yours, relative to this file, whose default export makes a policy.`,
    },
    chain: object("The settlement chain.", [], {
      block_time: {
        ...duration,
        description: `Time between block boundaries; 0 seals at once. ${duration.description}`,
      },
      confirmations: count(0, "Further block times until a settlement is final."),
      mempool_delay: {
        ...duration,
        description: `Time from sending a transaction until a block can take it; 0 unless told. ${duration.description}`,
      },
      gas_price: hundredths(
        "What a million units of gas cost whoever sends a transaction: the gateway's count with the treasury, a redemption with its client, a stake with its worker. Nothing unless told.",
      ),
      resend_after: {
        ...duration,
        description: `Time until the gateway sends a lost transaction again; 30s unless told. ${duration.description}`,
      },
      faults: { type: "array", items: chainFault, description: "What goes wrong with the chain, and when." },
    }),
    arbiter: object("Who decides disputes.", [], {
      accuracy: { ...share, description: "How often a verdict is right." },
      slash: count(0, "Tokens taken from a stake after a verdict of fraud or a refused proof; 100 unless told."),
      delay: {
        ...duration,
        description: `Time from a dispute to its verdict; 24h unless told. ${duration.description}`,
      },
      compensates: { type: "boolean", description: "Whether a verdict of fraud gives the client the charge back." },
    }),
    verification: object("Audits of proofs before they are paid.", ["audit_rate"], {
      audit_rate: { ...share, description: "Share of proofs whose jobs the network runs again." },
      false_positive: { ...share, description: "How often an audit refuses a sound proof." },
      false_negative: { ...share, description: "How often an audit lets a fraud pass that can be seen." },
      delay: { ...draws, description: `Time that an audit takes, 5s unless told; payment waits. ${draws.description}` },
      cost: hundredths("What an audit costs the network."),
      expel: {
        type: "boolean",
        description: "Whether a worker found fraudulent, by audit or verdict, is thrown out; true unless told.",
      },
    }),
    token_price: hundredths("What a token of stake is worth in reports."),
  }),
} as const;
