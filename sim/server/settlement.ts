/**
 * The settlement chain of a served network: in memory or on Anvil, and its JSON-RPC for whoever wants to check receipts.
 */
import type { Facade, Service } from "../facade/index.ts";
import type { Hex, TextHashes } from "../ledger/anvil/index.ts";
import { type Chain, type ChainMode, openChain } from "../ledger/index.ts";
import { honestRules } from "../rules.ts";

export interface SettlementOptions {
  readonly seed: string | number;
  /** What settles; the books in memory unless told. */
  readonly chain?: ChainMode | undefined;
  /** Address of an Anvil that runs already, for a chain that is not in memory. */
  readonly rpc?: string | undefined;
  readonly epochMs: number;
}

export interface Settlement {
  /** What the world is to seal on; undefined for its own memory. */
  readonly behind: Chain | undefined;
  /** JSON-RPC behind HTTP, once the service is there. */
  handler(service: Service): Promise<Facade["handle"]>;
  close(): Promise<void>;
}

/** @param facade the door, once it is there: it knows the texts whose hashes go on the chain */
export async function openSettlement(options: SettlementOptions, facade: () => Facade): Promise<Settlement> {
  const { seed, chain: mode = "memory", rpc, epochMs } = options;
  const epoch = Math.floor(epochMs / 1_000);
  const opened =
    mode === "memory"
      ? undefined
      : await openChain(mode, { seed, rules: honestRules, rpc, epoch, texts: await textsOf(facade) });
  return {
    behind: opened?.behind,
    async handler({ world, facade: { inside } }) {
      // Loaded only where somebody is to ask.
      const { chainHandler, createChainRpc } = await import("../ledger/rpc/index.ts");
      return chainHandler(
        createChainRpc({
          seed,
          behind: world.behind,
          register: world.register!,
          rules: world.rules,
          epoch,
          wallets: () => world.gateway.books.wallets,
          workers: () => world.workers.all.length,
          texts: await textsOf(() => ({ inside })),
        }),
      );
    },
    close: async () => opened?.close(),
  };
}

/** Hashes as the API shows them: of what a worker posted, and of what a client says that it received. */
async function textsOf(facade: () => Pick<Facade, "inside">): Promise<TextHashes> {
  const { standIns } = await import("../ledger/anvil/index.ts");
  const bytes = (told: string): Hex => `0x${told.slice("sha256:".length).toLowerCase()}`;
  const recordOf = (job: number) => {
    const { inside } = facade();
    return inside.jobs.find(inside.jobs.idOf(job));
  };
  return {
    posted(job, honest) {
      const { inside } = facade();
      const record = recordOf(job);
      return record === undefined ? standIns.posted(job, honest) : bytes(inside.door.postedHash(inside, record));
    },
    received(job) {
      const received = recordOf(job)?.received;
      return received === undefined ? standIns.received(job) : bytes(received);
    },
  };
}
