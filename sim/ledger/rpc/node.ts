/**
 * The memory chain as an Ethereum node: the calls that a verifier needs, and none that changes anything.
 *
 * Gas is not counted here, so it is free; keys do not exist, so signatures are empty. All else a verifier finds as on the contracts' own chain:
 * calldata, receipts, logs of the contracts (without the tokens' transfers), balances.
 */
import type { Address, Hex } from "../anvil/index.ts";
import type { ChainRegister } from "../register.ts";
import { REVERT } from "../transaction.ts";
import type { Calls } from "./calls.ts";
import { eventCount, eventsOf, type Speaker } from "./events.ts";
import type { History } from "./history.ts";
import { INVALID_PARAMS, type Methods, RpcFault, UNAVAILABLE } from "./json-rpc.ts";

const CHAIN_ID = 31_337;
const ZERO_ADDRESS = `0x${"00".repeat(20)}`;
const ZERO_HASH = `0x${"00".repeat(32)}`;
const NO_BLOOM = `0x${"00".repeat(256)}`;
/** Root of an empty trie: no tries are kept. */
const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
/** Blocks that one `eth_getLogs` may span. */
const WIDEST_SEARCH = 10_000;

const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`;

interface Filter {
  readonly fromBlock?: unknown;
  readonly toBlock?: unknown;
  readonly blockHash?: unknown;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | null | readonly string[])[];
}

export class MemoryNode {
  readonly methods: Methods;
  readonly #register: ChainRegister;
  readonly #history: History;
  readonly #calls: Calls;
  readonly #speaker: Speaker;

  constructor(register: ChainRegister, history: History, calls: Calls, speaker: Speaker) {
    this.#register = register;
    this.#history = history;
    this.#calls = calls;
    this.#speaker = speaker;
    this.methods = {
      web3_clientVersion: () => "assay/memory-chain",
      net_version: () => String(CHAIN_ID),
      eth_chainId: () => quantity(CHAIN_ID),
      eth_gasPrice: () => "0x0",
      eth_blockNumber: () => quantity(register.height),
      eth_getBlockByNumber: ([tag, whole]) => this.#block(this.#number(tag), whole === true),
      eth_getBlockByHash: ([hash, whole]) => this.#block(history.findBlock(hex(hash, 32)), whole === true),
      eth_getTransactionByHash: ([hash]) => this.#transaction(history.find(hex(hash, 32))),
      eth_getTransactionReceipt: ([hash]) => this.#receipt(history.find(hex(hash, 32))),
      eth_getTransactionCount: ([account]) => quantity(history.nonce(hex(account, 20))),
      // Nobody has ether, and nobody needs any.
      eth_getBalance: () => "0x0",
      eth_getLogs: ([filter]) => this.#logs((filter ?? {}) as Filter),
      eth_call: ([call, tag]) => this.#call(call, tag),
    };
  }

  #block(number: number | undefined, whole: boolean): unknown {
    const register = this.#register;
    if (number === undefined || number > register.height || number < 0) return null;
    const { time, transactions } = register.block(number) ?? { time: 0, transactions: [] };
    return {
      number: quantity(number),
      hash: register.blockHash(number),
      parentHash: number === 0 ? ZERO_HASH : register.blockHash(number - 1),
      timestamp: quantity(this.#speaker.epoch + Math.floor(time / 1_000_000)),
      transactions: transactions.map((tx) => (whole ? this.#transaction(tx) : register.hash(tx))),
      miner: ZERO_ADDRESS,
      difficulty: "0x0",
      totalDifficulty: "0x0",
      extraData: "0x",
      nonce: "0x0000000000000000",
      mixHash: ZERO_HASH,
      size: "0x0",
      gasLimit: "0x1c9c380",
      gasUsed: "0x0",
      baseFeePerGas: "0x0",
      logsBloom: NO_BLOOM,
      stateRoot: EMPTY_ROOT,
      transactionsRoot: EMPTY_ROOT,
      receiptsRoot: EMPTY_ROOT,
      sha3Uncles: NO_UNCLES,
      uncles: [],
    };
  }

  /** Where a transaction stands; all null until it is in a sealed block. */
  #place(tx: number) {
    const register = this.#register;
    const number = register.blockOf(tx);
    if (number === 0) return { blockHash: null, blockNumber: null, transactionIndex: null };
    return {
      blockHash: register.blockHash(number),
      blockNumber: quantity(number),
      transactionIndex: quantity(register.block(number)!.transactions.indexOf(tx)),
    };
  }

  #transaction(tx: number | undefined): unknown {
    if (tx === undefined) return null;
    const { from, to, data, nonce } = this.#history.draft(tx);
    return {
      hash: this.#register.hash(tx),
      ...this.#place(tx),
      type: "0x0",
      chainId: quantity(CHAIN_ID),
      nonce: quantity(nonce),
      from,
      to,
      input: data,
      value: "0x0",
      gas: "0x0",
      gasPrice: "0x0",
      v: quantity(CHAIN_ID * 2 + 35),
      r: "0x0",
      s: "0x0",
    };
  }

  #receipt(tx: number | undefined): unknown {
    const outcome = tx === undefined ? undefined : this.#register.outcome(tx);
    if (tx === undefined || outcome === undefined) return null;
    const { from, to } = this.#history.draft(tx);
    return {
      transactionHash: this.#register.hash(tx),
      ...this.#place(tx),
      from,
      to,
      contractAddress: null,
      type: "0x0",
      status: outcome === REVERT.ok ? "0x1" : "0x0",
      gasUsed: "0x0",
      cumulativeGasUsed: "0x0",
      effectiveGasPrice: "0x0",
      logsBloom: NO_BLOOM,
      logs: this.#logsOf(tx, this.#logsBefore(tx)),
    };
  }

  /** Logs of one transaction; `first` is the place of its first in the block. */
  #logsOf(tx: number, first: number): readonly Record<string, unknown>[] {
    if (this.#register.outcome(tx) !== REVERT.ok) return [];
    const record = this.#register.transaction(tx)!;
    const place = { transactionHash: this.#register.hash(tx), ...this.#place(tx), removed: false };
    return eventsOf(record, this.#history.facts(tx), this.#speaker).map((event, i) => ({
      ...event,
      ...place,
      logIndex: quantity(first + i),
    }));
  }

  #logsBefore(tx: number): number {
    const { transactions } = this.#register.block(this.#register.blockOf(tx))!;
    const before = transactions.slice(0, transactions.indexOf(tx));
    return before.reduce((sum, each) => {
      const done = this.#register.outcome(each) === REVERT.ok;
      return done ? sum + eventCount(this.#register.transaction(each)!, this.#history.facts(each)) : sum;
    }, 0);
  }

  #logs({ fromBlock, toBlock, blockHash, address, topics = [] }: Filter): unknown {
    const named = blockHash === undefined ? undefined : this.#history.findBlock(hex(blockHash, 32));
    if (blockHash !== undefined && named === undefined) throw new RpcFault(UNAVAILABLE, "there is no such block");
    const from = named ?? this.#number(fromBlock ?? "latest") ?? 0;
    const to = Math.min(named ?? this.#number(toBlock ?? "latest") ?? 0, this.#register.height);
    if (to - from >= WIDEST_SEARCH)
      throw new RpcFault(INVALID_PARAMS, `a search spans at most ${WIDEST_SEARCH} blocks`);
    const addresses = address === undefined ? undefined : [address].flat().map((each) => each.toLowerCase());
    const found: unknown[] = [];
    for (let number = Math.max(1, from); number <= to; number++) {
      let first = 0;
      for (const tx of this.#register.block(number)!.transactions) {
        const logs = this.#logsOf(tx, first);
        first += logs.length;
        found.push(
          ...logs.filter(
            (log) =>
              (addresses === undefined || addresses.includes(log.address as string)) &&
              topics.every((topic, i) => topic === null || [topic].flat().includes((log.topics as string[])[i] ?? "")),
          ),
        );
      }
    }
    return found;
  }

  #call(call: unknown, tag: unknown): Hex {
    const { to, data, input } = (call ?? {}) as { to?: unknown; data?: unknown; input?: unknown };
    const number = this.#number(tag ?? "latest");
    if (number !== this.#register.height) throw new RpcFault(UNAVAILABLE, "only the newest state is kept");
    const answer = this.#calls.call(hex(to, 20) as Address, (input ?? data ?? "0x") as Hex);
    if (answer === undefined) throw new RpcFault(3, "execution reverted");
    return answer;
  }

  /** Of a block by tag or number; undefined where it is neither. */
  #number(tag: unknown): number {
    const { height } = this.#register;
    if (tag === "earliest") return 0;
    if (["latest", "safe", "finalized", "pending"].includes(String(tag))) return height;
    if (typeof tag === "string" && /^0x[0-9a-f]{1,13}$/i.test(tag)) return Number(tag);
    throw new RpcFault(INVALID_PARAMS, "a block is a number in hexadecimal digits, or a word such as latest");
  }
}

/** Small letters; so many bytes. */
function hex(value: unknown, bytes: number): string {
  if (typeof value === "string" && value.length === 2 + 2 * bytes && /^0x[0-9a-f]+$/i.test(value)) {
    return value.toLowerCase();
  }
  throw new RpcFault(INVALID_PARAMS, `0x and ${2 * bytes} hexadecimal digits were expected`);
}
