/**
 * The chain behind the port is gone, silent or not what we started. Nothing was found out about the world: the run is void.
 */
import { AssayError, type ErrorFacts } from "../../core/index.ts";

/** "Inconclusive or harness fault" in the command line's terms. */
export const EXIT_CHAIN = 3;

export class ChainError extends AssayError {
  override readonly name = "ChainError";
  override readonly exitCode = EXIT_CHAIN;
}

/** The node answered a call with an error of its own. */
export class RpcError extends ChainError {
  /** JSON-RPC's number for it. */
  readonly code: number;

  constructor(code: number, facts: ErrorFacts) {
    super(facts);
    this.code = code;
  }
}
