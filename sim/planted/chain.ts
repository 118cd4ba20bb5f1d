/** Defects of the escrow and of what is sent to it. */
import { type Block, MemoryChain, REVERT, TX, type TxKind } from "../ledger/index.ts";
import type { World } from "../world.ts";
import { around, everyNth, type PlantedDefect } from "./defect.ts";

/** Lets a wrong hand at each transaction of a block once it is sealed. */
function afterSeal({ behind }: World, wrong: (block: Block, at: number) => void): void {
  around(behind, "seal", (right) => (block) => {
    const sealed = right(block);
    for (let at = 0; at < block.count; at++) wrong(block, at);
    return sealed;
  });
}

/** Sends some kinds of transactions with other columns. */
function onTheWay(
  { chain }: World,
  kind: TxKind,
  change: (subject: number, party: number, amount: number) => readonly [subject: number, party: number, amount: number],
): void {
  around(
    chain,
    "submit",
    (right) => (sent, subject, party, amount, extra) =>
      sent === kind
        ? right(sent, ...change(subject, party, amount), extra)
        : right(sent, subject, party, amount, extra),
  );
}

/** Counts a slash that the escrow refused as done. */
const unjustSlashesPass = (world: World): void =>
  afterSeal(world, (block, at) => {
    if (block.kind[at] === TX.slash && block.outcome[at] === REVERT.nothingToSlash) block.outcome[at] = REVERT.ok;
  });

export const chain: readonly PlantedDefect[] = [
  {
    id: "slashed-twice",
    what: "one fraud costs its worker two slashes",
    checker: "slashed-for-fraud",
    plant: (world) => {
      unjustSlashesPass(world);
      around(world.chain, "submit", (right) => (kind, ...columns) => {
        if (kind === TX.slash) right(kind, ...columns);
        return right(kind, ...columns);
      });
    },
  },
  {
    id: "innocent-slashed",
    what: "a worker found honest is slashed",
    checker: "slashed-for-fraud",
    plant: (world) => {
      unjustSlashesPass(world);
      around(world.arbiter, "decide", (right) => (job, fraudulent) => {
        const decided = right(job, fraudulent);
        if (decided && !fraudulent) world.chain.submit(TX.slash, job.worker, job.job, 1, 0);
        return decided;
      });
    },
  },
  {
    id: "refunded-twice",
    what: "a time-out is refunded twice, the second time with the units of others",
    checker: "locks-end-once",
    rules: { mayReturn: () => true },
    plant: ({ chain, jobs }) =>
      around(chain, "submit", (right) => (kind, subject, ...columns) => {
        if (kind === TX.refund) {
          jobs.at(subject).holds++;
          right(kind, subject, ...columns);
        }
        return right(kind, subject, ...columns);
      }),
  },
  {
    id: "unbacked-lock",
    what: "the escrow locks units that a wallet does not have",
    checker: "balances-not-negative",
    rules: { covers: () => true },
    plant: ({ behind }) => {
      if (!(behind instanceof MemoryChain)) return;
      const { ledger } = behind;
      around(ledger, "apply", (right) => (kind, subject, party, amount, extra) => {
        const lack = kind === TX.lock ? amount - ledger.available(party) : 0;
        if (lack > 0) right(TX.buy, party, 0, Math.max(lack, 100), 0);
        return right(kind, subject, party, amount, extra);
      });
    },
  },
  {
    id: "wrong-worker-paid",
    what: "the settlement names another worker than the one with the proof",
    checker: "every-job-final",
    plant: (world) =>
      onTheWay(world, TX.settle, (job, worker, amount) => [job, (worker + 1) % world.workers.all.length, amount]),
  },
  {
    id: "lock-one-short",
    what: "one unit fewer is locked than the job is told to have",
    checker: "transactions-answered",
    plant: (world) => onTheWay(world, TX.lock, (job, wallet, units) => [job, wallet, units - 1]),
  },
  {
    id: "lock-lost",
    what: "every third lock never reaches the chain",
    checker: "transactions-answered",
    plant: ({ chain }) => {
      const lost = everyNth(3);
      around(
        chain,
        "submit",
        (right) =>
          (kind, ...columns) =>
            kind === TX.lock && lost() ? 1 : right(kind, ...columns),
      );
    },
  },
  {
    id: "redeemed-miscounted",
    what: "the escrow forgets one unit of each withdrawal in its totals",
    checker: "units-conserved",
    plant: (world) =>
      afterSeal(world, (block, at) => {
        if (block.kind[at] === TX.withdraw && block.outcome[at] === REVERT.ok) world.behind.totals()!.redeemed--;
      }),
  },
  {
    id: "stake-miscounted",
    what: "slashed tokens still count as active in the escrow's totals",
    checker: "stake-conserved",
    plant: (world) =>
      afterSeal(world, (block, at) => {
        if (block.kind[at] === TX.slash && block.outcome[at] === REVERT.ok) {
          world.behind.totals()!.active += block.amount[at]!;
        }
      }),
  },
  {
    id: "withdrawal-unseen",
    what: "a withdrawal takes one unit more than it says",
    checker: "balances-not-negative",
    plant: ({ gateway }) =>
      around(
        gateway,
        "withdrawalSealed",
        (right) => (wallet, tx, done, units, known) => right(wallet, tx, done, units + 1, known),
      ),
  },
];
