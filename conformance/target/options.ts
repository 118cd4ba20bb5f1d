/** What a run is told about its target and about itself. `settings.ts` reads these from flags, environment and file. */
import type { Dispatcher } from "undici";
import type { InProcessReceiver } from "../receiver/in-process.ts";
import type { Patience } from "./patience.ts";

/** Where the receiver listens, and the address under which the target reaches it. */
export interface ReceiverOptions {
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Port to listen on. Default: any free one. */
  readonly port?: number | undefined;
  /** The public `https:` address that leads here. Default: the address it listens on. */
  readonly publicUrl?: string | undefined;
  /** PEM files. Without them a certificate is made for the run. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface TargetOptions {
  /** Base address of the service, without `/v1`. */
  readonly baseUrl: string;
  /** The first is the main one; further ones may be of other wallets. May be empty when the controls can make wallets. */
  readonly keys: readonly string[];
  /** The maker's word in `x-<brand>-*`. */
  readonly brand: string;
  readonly control?: { readonly url: string; readonly token?: string | undefined } | undefined;
  /** JSON-RPC endpoint of the settlement chain. */
  readonly rpc?: string | undefined;
  /** False: no receiver at all. */
  readonly receiver: ReceiverOptions | false;
  /** The most units that the run takes from the given keys' wallets. Wallets made by the controls are not counted. */
  readonly maxCredits: number;
  /** Milliseconds of real time for the whole run. */
  readonly timeout: number;
  readonly patience: Patience;
  readonly seed: number;
  /** Runs of a property. */
  readonly runs: number;
  /** Sections, rows or cases; empty means all. */
  readonly only: readonly string[];
  /** Where fast-check resumes, for a replay of one property. */
  readonly path?: string | undefined;
  /** Accepts certificates of the target that nobody vouches for. */
  readonly insecure?: boolean | undefined;
  /** Serves the target and its controls in process. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Takes the deliveries of a target in process. */
  readonly inProcessReceiver?: InProcessReceiver | undefined;
}

export const DEFAULTS = {
  brand: "service",
  maxCredits: 400,
  timeout: 600_000,
  seed: 1,
  runs: 25,
} as const;
