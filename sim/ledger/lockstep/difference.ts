/**
 * Two chains that should be one: where they parted.
 */
import { AssayError } from "../../core/index.ts";
import type { Block } from "../transaction.ts";
import { transactionWords } from "../words.ts";

/** One fact on which the chains differ, each told its own way: "wallet 3 available", "120", "118". */
export interface Difference {
  readonly what: string;
  readonly memory: string;
  readonly contracts: string;
  /** Place in the block, where it is about one transaction. */
  readonly at?: number | undefined;
}

/** Of a block's transactions and differences, as many as fit a screen. */
const SHOWN = 30;

/** The run stops: one of the chains is wrong, or the specification of both is. */
export class LockstepDifference extends AssayError {
  override readonly name = "LockstepDifference";
  override readonly exitCode = 1;
  readonly block: number;
  readonly differences: readonly Difference[];

  /**
   * @param hash of a transaction by number
   * @param replay a command that runs into the same difference
   */
  constructor(
    block: Block,
    differences: readonly Difference[],
    hash: (tx: number) => string,
    replay: string | undefined,
  ) {
    const differing = new Set(differences.map(({ at }) => at));
    const transactions = Array.from({ length: block.count }, (_, at) => at)
      .filter((at) => block.count <= SHOWN || differing.has(at))
      .slice(0, SHOWN)
      .map(
        (at) =>
          `${differing.has(at) ? ">" : " "} ${block.tx[at]} ${transactionWords(block, at)}\n    ${hash(block.tx[at]!)}`,
      );
    super({
      what: `The memory chain and the contracts part in block ${block.number}.`,
      where: [`block ${block.number}, sealed at ${block.time} µs, ${block.count} transactions`, ...transactions].join(
        "\n",
      ),
      seen: differences
        .slice(0, SHOWN)
        .map(({ what, memory, contracts }) => `${what}: memory chain ${memory}, contracts ${contracts}`)
        .join("\n"),
      expected: "the same from both",
      hint: replay === undefined ? undefined : `to see it again: ${replay}`,
    });
    this.block = block.number;
    this.differences = differences;
  }
}
