/**
 * Who is who on the chain. Addresses are those that the world shows for its wallets and workers, in whatever mode it runs; Anvil lets any account
 * send without a key.
 */
import type { Address } from "viem";
import { address } from "../register.ts";

/** The parties that the world has one of each. */
export type Role = "deployer" | "issuer" | "gateway" | "arbiter" | "shop" | "treasury";

export class Accounts {
  readonly #seed: string | number;
  readonly #roles = new Map<Role, Address>();
  readonly #wallets: Address[] = [];
  readonly #workers: Address[] = [];

  constructor(seed: string | number) {
    this.#seed = seed;
  }

  /**
   * deployer: owns the contracts; issuer: mints coins and tokens; gateway: locks, proves, settles, refunds, disputes; arbiter: gives verdicts and
   * slashes; shop: sells units to wallets; treasury: gets what workers do not.
   */
  role(role: Role): Address {
    const found = this.#roles.get(role) ?? this.#address(role);
    this.#roles.set(role, found);
    return found;
  }

  wallet(wallet: number): Address {
    this.#wallets[wallet] ??= this.#address(`wallet ${wallet}`);
    return this.#wallets[wallet];
  }

  worker(worker: number): Address {
    this.#workers[worker] ??= this.#address(`worker ${worker}`);
    return this.#workers[worker];
  }

  #address(name: string): Address {
    return address(this.#seed, name) as Address;
  }
}
