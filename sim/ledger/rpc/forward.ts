/**
 * Anvil, seen from outside: what reads goes through, what would change its state does not.
 */
import type { ChainRpc } from "./index.ts";

/** The calls of Ethereum that read. Anvil has many that write, and some that rewrite. */
const READING =
  /^(web3_clientVersion|net_version|eth_(chainId|gasPrice|blockNumber|call|getBlock\w+|getTransaction\w+|getBalance|getCode|getStorageAt|getLogs))$/;

export function forwarded(url: string): ChainRpc {
  return async (body) => {
    const refused = refusal(body);
    if (refused !== undefined) return refused;
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    return await response.text();
  };
}

/** The answer to a body that holds anything but calls that read. */
function refusal(body: string): string | undefined {
  let asked: unknown;
  try {
    asked = JSON.parse(body);
  } catch {
    return JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "the body is no JSON" } });
  }
  const requests: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
  for (const request of requests) {
    const { id = null, method } = (request ?? {}) as { id?: unknown; method?: unknown };
    if (typeof method === "string" && READING.test(method)) continue;
    const message = `the method ${String(method).slice(0, 100)} does not exist here`;
    return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message } });
  }
  return undefined;
}
