/**
 * The contracts' addresses, which follow from who deploys them in which order, and the transactions that set them up.
 */
import { type Address, encodeDeployData, getContractAddress, type Hex, keccak256, toHex } from "viem";
import type { Accounts } from "./accounts.ts";
import type { Compiled, ContractName } from "./artifacts.ts";
import { encoder, lower } from "./calldata.ts";

/** Base units of the coin that a unit is worth; 10^6 to the coin, 100 units to the coin. */
export const COINS_PER_UNIT = 10_000n;
/** Base units of a governance token. */
export const TOKEN = 10n ** 18n;
const COIN_DECIMALS = 6;
/** Coins that the shop starts with, to sell units against, and the treasury, to compensate clients with. */
export const FLOAT = 10n ** 12n * 10n ** 6n;
const EVERYTHING = 2n ** 256n - 1n;

export type Addresses = Readonly<Record<ContractName, Address>>;

/** A transaction before it has a place in the order: who sends what to whom; no `to` makes a contract. */
export interface Draft {
  readonly from: Address;
  readonly to?: Address | undefined;
  readonly data: Hex;
}

/**
 * Where the contracts of this deployer come to stand.
 *
 * @param used transactions that the deployer has sent before
 */
export function addresses(deployer: Address, used = 0): Addresses {
  const at = (nonce: number): Address => lower(getContractAddress({ from: deployer, nonce: BigInt(used + nonce) }));
  return {
    Stablecoin: at(0),
    GovernanceToken: at(1),
    WorkerRegistry: at(2),
    Escrow: at(3),
    Disputes: at(4),
    Lens: at(5),
  };
}

/** Everything that makes the chain ready, in order: contracts, roles, floats and allowances. */
export function deployment(
  accounts: Accounts,
  to: Addresses,
  compiled: (name: ContractName) => Compiled,
): readonly Draft[] {
  const deployer = accounts.role("deployer");
  const issuer = accounts.role("issuer");
  const treasury = accounts.role("treasury");
  const create = (name: ContractName, ...args: readonly unknown[]): Draft => {
    const { abi, bytecode } = compiled(name);
    return { from: deployer, data: encodeDeployData({ abi, bytecode, args }) };
  };
  const grant = (contract: ContractName, role: string, account: Address): Draft => ({
    from: deployer,
    to: to[contract],
    data: encoder(contract, "grantRole")(keccak256(toHex(role)), account),
  });
  const mint = encoder("Stablecoin", "mint");
  const approve = encoder("Stablecoin", "approve");
  return [
    create("Stablecoin", issuer),
    create("GovernanceToken", issuer),
    create("WorkerRegistry", to.GovernanceToken, treasury, deployer),
    create("Escrow", to.Stablecoin, COIN_DECIMALS, to.WorkerRegistry, treasury, deployer),
    create("Disputes", to.Escrow, to.WorkerRegistry, deployer),
    create("Lens", to.Escrow),
    grant("Escrow", "GATEWAY_ROLE", accounts.role("gateway")),
    grant("Escrow", "ARBITRATION_ROLE", to.Disputes),
    grant("Disputes", "GATEWAY_ROLE", accounts.role("gateway")),
    grant("Disputes", "ARBITER_ROLE", accounts.role("arbiter")),
    grant("WorkerRegistry", "SLASHER_ROLE", to.Disputes),
    { from: issuer, to: to.Stablecoin, data: mint(accounts.role("shop"), FLOAT) },
    { from: issuer, to: to.Stablecoin, data: mint(treasury, FLOAT) },
    { from: accounts.role("shop"), to: to.Stablecoin, data: approve(to.Escrow, EVERYTHING) },
    { from: treasury, to: to.Stablecoin, data: approve(to.Escrow, EVERYTHING) },
  ];
}
