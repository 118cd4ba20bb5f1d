/**
 * Services that lie about their chain, before a judge who can look: a program, since the judge runs its cases with the runner that tests run with.
 * Prints one line of JSON for each of `trials`.
 */
import { DEFAULTS, judge, PATIENCE, type Report } from "../../conformance/index.ts";
import { disputed, failure, job, within } from "../../sim/facade/overrides.ts";
import type { Override } from "../../sim/facade/service.ts";
import { type ChainMode, TX } from "../../sim/ledger/index.ts";
import { type Serving, serve } from "../../sim/server/index.ts";

/** A served world with the defect, and what it knows of its own chain. */
async function report(
  chain: ChainMode,
  cases: readonly string[],
  plant?: (serving: () => Serving) => Override,
): Promise<Report> {
  let serving: Serving | undefined;
  serving = await serve({
    port: 0,
    chainPort: 0,
    controlPort: 0,
    mode: "manual",
    seed: "judged",
    chain,
    overrides: plant === undefined ? [] : [plant(() => serving!)],
  });
  try {
    return await judge({
      ...DEFAULTS,
      keys: [],
      patience: PATIENCE.none,
      baseUrl: serving.base,
      control: { url: serving.control!, token: undefined },
      rpc: serving.chain!,
      only: cases,
      receiver: false,
    });
  } finally {
    await serving.stop();
  }
}

const UNKNOWN = `0x${"ab".repeat(32)}`;
const CASES = ["1/chain", "1/chain-refund", "1/chain-dispute"];

/** Names another transaction as the settlement of a job. */
const settledBy = (hash: () => string): Override =>
  job((body) =>
    within(body, "on_chain", (chain) => (chain.settlement_tx === null ? chain : { ...chain, settlement_tx: hash() })),
  );

/** Sends a transaction of the world's own, once, and tells its hash. It is in the next block, long before a job has settled. */
function another(serving: () => Serving, kind: typeof TX.withdraw | typeof TX.stake): () => string {
  let tx = 0;
  return () => {
    const { world, network } = serving().service;
    // More units than anybody has: it is refused. Or a stake, which is no business of the escrow.
    tx ||= world.chain.submit(kind, 0, kind === TX.stake ? 1 : 0, kind === TX.stake ? 1_000 : 10 ** 9, 0);
    return network.chain.hash(tx);
  };
}

export interface Trial {
  readonly chain: ChainMode;
  /** The lie; undefined for an honest service. */
  readonly lie: string | undefined;
  readonly findings: readonly { readonly requirement: string; readonly title: string }[];
  /** Of the rows that are about the chain. */
  readonly statuses: Readonly<Record<string, string>>;
}

interface Lie {
  readonly what: string;
  readonly only: string;
  plant(serving: () => Serving): Override;
}

const lies: readonly Lie[] = [
  {
    what: "a settlement that does not exist",
    only: "1/chain",
    plant: () => settledBy(() => UNKNOWN),
  },
  {
    what: "a settlement that failed",
    only: "1/chain",
    plant: (serving) => settledBy(another(serving, TX.withdraw)),
  },
  {
    what: "a settlement that went elsewhere",
    only: "1/chain",
    plant: (serving) => settledBy(another(serving, TX.stake)),
  },
  {
    what: "a settlement in another block",
    only: "1/chain",
    plant: () =>
      job((body) =>
        within(body, "on_chain", (chain) =>
          typeof chain.block_number === "number" ? { ...chain, block_number: chain.block_number - 1 } : chain,
        ),
      ),
  },
  {
    what: "a settlement before its lock",
    only: "1/chain",
    plant: () =>
      job((body) =>
        within(body, "on_chain", (chain) =>
          chain.settlement_tx === null
            ? chain
            : { ...chain, escrow_tx: chain.settlement_tx, settlement_tx: chain.escrow_tx },
        ),
      ),
  },
  {
    what: "a lock that does not exist",
    only: "1/chain",
    plant: () => job((body) => within(body, "on_chain", (chain) => ({ ...chain, escrow_tx: UNKNOWN }))),
  },
  {
    what: "a refund that does not exist",
    only: "1/chain-refund",
    plant: () =>
      failure("job_timeout", (error) => within(error, "details", (details) => ({ ...details, refund_tx: UNKNOWN }))),
  },
  {
    what: "a dispute that failed",
    only: "1/chain-dispute",
    plant: (serving) => {
      const hash = another(serving, TX.withdraw);
      return disputed((body) => (body.dispute_tx == null ? body : { ...body, dispute_tx: hash() }));
    },
  },
];

const trials: readonly (readonly [ChainMode, Lie | undefined])[] = [
  ["memory", undefined],
  ["anvil", undefined],
  ...lies.map((lie) => ["memory", lie] as const),
  ...lies.slice(0, 2).map((lie) => ["anvil", lie] as const),
];

for (const [chain, lie] of trials) {
  const { findings, requirements } = await report(chain, lie === undefined ? CASES : [lie.only], lie?.plant);
  const trial: Trial = {
    chain,
    lie: lie?.what,
    findings: findings.map(({ requirement, title }) => ({ requirement, title })),
    statuses: Object.fromEntries(requirements.map(({ id, status }) => [id, status])),
  };
  process.stdout.write(`${JSON.stringify(trial)}\n`);
}
