/**
 * Calldata of the contracts' functions, written by hand: every argument is a number or an account, one word each, and there are thousands a second.
 */
import { type Abi, type AbiFunction, type Address, getAbiItem, type Hex, toFunctionSelector } from "viem";
import { invariant } from "../../core/index.ts";
import { artifact, type ContractName } from "./artifacts.ts";

/** An account's address, a hash, or a number that is not negative. */
export type Argument = Hex | number | bigint;

/** Makes the calldata of one function. */
export type Encoder = (...args: readonly Argument[]) => Hex;

/** @throws InvariantError where the contract has no such function, or it takes more than words */
export function encoder(contract: ContractName, name: string): Encoder {
  const found = getAbiItem({ abi: artifact(contract).abi as Abi, name }) as AbiFunction | undefined;
  invariant(found?.type === "function", `${contract} has a function ${name}`);
  const { inputs } = found;
  invariant(
    inputs.every(({ type }) => /^(address|u?int\d+|bytes32)$/.test(type)),
    `${contract}.${name} takes words only`,
  );
  const selector = toFunctionSelector(found);
  return (...args) => {
    invariant(args.length === inputs.length, `${contract}.${name} takes ${inputs.length} arguments`);
    let data: Hex = selector;
    for (const argument of args) data += word(argument);
    return data as Hex;
  };
}

/** 32 bytes as 64 hex digits. */
export function word(argument: Argument): string {
  if (typeof argument === "string") return argument.slice(2).padStart(64, "0");
  invariant(argument >= 0, "a word is not negative");
  return argument.toString(16).padStart(64, "0");
}

/** The word at that place of returned or logged data, as a number. */
export function wordAt(data: Hex, at: number): bigint {
  return BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`);
}

/** As the node wants numbers. */
export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** Addresses compared as the node writes them: lower case. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
