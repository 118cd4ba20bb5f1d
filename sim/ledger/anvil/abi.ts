/**
 * The contracts' words: calls read, answers and logs written, for a chain that has no contracts and speaks as if it had.
 */
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  getAbiItem,
  type Hex,
} from "viem";
import { artifact, type ContractName } from "./artifacts.ts";

export interface ReadCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The function and arguments of calldata; undefined where the contract has no such function. */
export function readCall(contract: ContractName, data: Hex): ReadCall | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: artifact(contract).abi, data });
    return { name: functionName, args: args ?? [] };
  } catch {
    return undefined;
  }
}

/** What a function of the contract returns, as bytes. */
export function writeAnswer(contract: ContractName, functionName: string, result: unknown): Hex {
  return encodeFunctionResult({ abi: artifact(contract).abi, functionName, result: result as never });
}

/** Topics and data of an event, its fields by name. */
export function writeLog(
  contract: ContractName,
  eventName: string,
  args: Readonly<Record<string, unknown>>,
): { readonly topics: readonly Hex[]; readonly data: Hex } {
  const { abi } = artifact(contract);
  const event = getAbiItem({ abi, name: eventName });
  const inputs = event?.type === "event" ? event.inputs : [];
  const plain = inputs.filter((input) => !("indexed" in input && input.indexed));
  return {
    topics: encodeEventTopics({ abi, eventName, args } as never) as readonly Hex[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name }) => args[name!]),
    ),
  };
}
