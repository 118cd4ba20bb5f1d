/** From `chain` of a scenario to the settings of the settlement chain and what goes wrong with it. */
import { MILLISECOND, SECOND } from "../core/index.ts";
import type { ChainFault, ChainFaultPlan } from "../faults/chain.ts";
import { type ChainSettings, GAS, TX, type TxKind } from "../ledger/index.ts";
import type { GasCosts, Operation } from "../metrics/index.ts";
import type { Context } from "./context.ts";
import type { Scenario, ScenarioChainFault } from "./scenario.ts";
import type { Path } from "./source.ts";

/** Chances of the chain's dice are counted in millionths. */
const MILLION = 1_000_000;

export function chainSettings({ scenario: { chain }, reader }: Context): ChainSettings {
  return {
    blockTime: reader.time(chain?.block_time, ["chain", "block_time"]) ?? 2 * SECOND,
    confirmations: chain?.confirmations ?? 0,
    mempoolDelay: reader.time(chain?.mempool_delay, ["chain", "mempool_delay"]) ?? 0,
  };
}

/** What transactions cost at `chain.gas_price`, each to the nearest hundredth of a unit; undefined where gas costs nothing. */
export function gasCosts({ chain }: Scenario): GasCosts | undefined {
  const price = chain?.gas_price ?? 0;
  if (price === 0) return undefined;
  const operations = Object.entries(TX) as [Operation, TxKind][];
  return {
    of: Object.fromEntries(
      operations.map(([operation, kind]) => [operation, Math.round((price * GAS[kind]) / MILLION)]),
    ) as Record<Operation, number>,
    byNumber: operations.toSorted(([, a], [, b]) => a - b).map(([operation]) => operation),
  };
}

/** Undefined where nothing goes wrong. */
export function chainFaults(context: Context): ChainFaultPlan | undefined {
  const { scenario, reader } = context;
  const { faults = [], resend_after } = scenario.chain ?? {};
  if (faults.length === 0) return undefined;
  const resendAfter = reader.time(resend_after, ["chain", "resend_after"]) ?? 30 * SECOND;
  return { faults: faults.map((fault, place) => chainFault(context, fault, place)), resendAfter };
}

function chainFault(context: Context, fault: ScenarioChainFault, place: number): ChainFault {
  const { scenario, reader } = context;
  const { blockTime } = chainSettings(context);
  const path: Path = ["chain", "faults", place];
  const at = reader.time(fault.at, [...path, "at"]);
  const calm = reader.time(scenario.calm_at, ["calm_at"]) ?? Infinity;
  const lasts = reader.time(fault.for, [...path, "for"]) ?? 0;
  const lacks = (what: string, field: string) =>
    reader.wrong(path, `This fault ${what}.`, fault.fault, `a field ${field}`);
  if (at + lasts >= calm) {
    const expected = "an end before calm_at";
    throw reader.wrong([...path, "at"], "This fault does not end before the calm begins.", fault.at, expected);
  }
  if (fault.fault === "reorganised") {
    if (fault.depth === undefined) throw lacks("does not say how deep it is", '"depth", such as 3');
    if (blockTime === 0) {
      const where = ["chain", "block_time"];
      throw reader.wrong(where, "A chain without blocks cannot be reorganised.", 0, "a block time, such as 2s");
    }
    return { kind: "reorganised", at, depth: fault.depth };
  }
  if (lasts === 0) throw lacks("lasts no time", '"for", such as 5min');
  const span = { from: at, to: at + lasts };
  switch (fault.fault) {
    case "stalled":
      return { kind: "stalled", ...span };
    case "rpc_errors":
      return { kind: "rpc", how: "errors", ...span };
    case "rpc_hangs":
      return { kind: "rpc", how: "hangs", ...span };
    case "slow_blocks": {
      const slow = reader.time(fault.block_time, [...path, "block_time"]);
      if (slow === undefined) throw lacks("does not say how slow blocks are", '"block_time", such as 12s');
      if (blockTime === 0 || slow % blockTime !== 0) {
        const expected = `a multiple of the chain's own ${blockTime / MILLISECOND} ms`;
        throw reader.wrong(
          [...path, "block_time"],
          "Slow blocks do not fit the chain's boundaries.",
          fault.block_time,
          expected,
        );
      }
      return { kind: "slow", blockTime: slow, ...span };
    }
    default:
      return { kind: fault.fault, chance: Math.round((fault.share ?? 1) * MILLION), ...span };
  }
}
