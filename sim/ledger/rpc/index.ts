/**
 * A world's settlement chain over JSON-RPC, for whoever wants to check receipts: the memory chain speaks for itself, Anvil is asked.
 */
import type { FacadeExchange, FacadeRequest, FacadeResponse } from "../../facade/index.ts";
import { Accounts, type Addresses, AnvilChain, standIns, type TextHashes } from "../anvil/index.ts";
import type { Chain } from "../chain.ts";
import type { EscrowRules } from "../ledger.ts";
import { LockstepChain } from "../lockstep/index.ts";
import { address, type ChainRegister } from "../register.ts";
import { Calls } from "./calls.ts";
import { forwarded } from "./forward.ts";
import { History } from "./history.ts";
import { answer } from "./json-rpc.ts";
import { MemoryNode } from "./node.ts";

/** What the chain's node is made of: parts of a world that retains its jobs. */
export interface ChainSource {
  readonly seed: string | number;
  readonly behind: Chain;
  readonly register: ChainRegister;
  readonly rules: EscrowRules;
  /** Unix seconds of the start of the run. */
  readonly epoch: number;
  wallets(): number;
  workers(): number;
  /** Hashes of texts, where they are known; stand-ins otherwise. */
  readonly texts?: TextHashes | undefined;
}

/** A JSON-RPC body in, the answer's body out; empty where none is due. */
export type ChainRpc = (body: string) => string | Promise<string>;

export function createChainRpc(source: ChainSource): ChainRpc {
  const { behind } = source;
  const contracts = behind instanceof LockstepChain ? behind.contracts : behind;
  return contracts instanceof AnvilChain ? forwarded(contracts.url) : memoryRpc(source);
}

function memoryRpc(source: ChainSource): ChainRpc {
  const { seed, register, rules, epoch, texts = standIns } = source;
  const speaker = { accounts: new Accounts(seed), contracts: contractsOf(seed), texts, epoch };
  const history = new History(register, rules, speaker);
  const node = new MemoryNode(register, history, new Calls(history, speaker, source), speaker);
  return (body) => {
    history.update();
    return answer(node.methods, body);
  };
}

/** Where the contracts of the memory chain would stand. */
function contractsOf(seed: string | number): Addresses {
  const at = (name: string) => address(seed, name) as Addresses["Escrow"];
  return {
    Stablecoin: at("stablecoin"),
    GovernanceToken: at("governance token"),
    WorkerRegistry: at("worker registry"),
    Escrow: at("escrow"),
    Disputes: at("disputes"),
    Lens: at("lens"),
  };
}

const TEXT = new TextDecoder();
const BYTES = new TextEncoder();

/** The node behind HTTP: POST to any path. It brings no server of its own. */
export function chainHandler(rpc: ChainRpc): (request: FacadeRequest, response: FacadeResponse) => FacadeExchange {
  return (request, response) => {
    let gone = false;
    const send = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): void => {
      if (gone) return;
      const body = BYTES.encode(text);
      response.head(status, { "content-type": "application/json", "content-length": String(body.length), ...headers });
      response.write(body);
      response.end();
    };
    if (request.method !== "POST") {
      send(405, JSON.stringify({ error: "this is a JSON-RPC node: POST to it" }), { allow: "POST" });
    } else if (request.oversized) {
      send(413, JSON.stringify({ error: "the body is too large" }));
    } else {
      Promise.resolve(rpc(TEXT.decode(request.body))).then(
        (text) => (text === "" ? send(204, "") : send(200, text)),
        () => send(502, JSON.stringify({ error: "the chain does not answer" })),
      );
    }
    return {
      abort() {
        gone = true;
      },
    };
  };
}
