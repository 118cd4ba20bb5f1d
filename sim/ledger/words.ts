/**
 * Transactions, outcomes and sums in words, for messages.
 */
import { type Block, type Outcome, REVERT, TX, type TxKind } from "./transaction.ts";

const KINDS = new Map<TxKind, string>(Object.entries(TX).map(([name, kind]) => [kind, name]));
const OUTCOMES = new Map<Outcome, string>(Object.entries(REVERT).map(([name, outcome]) => [outcome, name]));

/** "ok", or the name of the reason. */
export function outcomeName(outcome: Outcome): string {
  return OUTCOMES.get(outcome) ?? `outcome ${outcome}`;
}

/** What the transaction at that place of the block does: "settle job 4, worker 2, 18 units, 22 returned". */
export function transactionWords(block: Block, at: number): string {
  const kind = block.kind[at]!;
  const [subject, party, amount, extra] = [block.subject[at]!, block.party[at]!, block.amount[at]!, block.extra[at]!];
  const name = KINDS.get(kind) ?? `kind ${kind}`;
  switch (kind) {
    case TX.buy:
    case TX.withdraw:
      return `${name} wallet ${subject}, ${amount} units`;
    case TX.lock:
      return `${name} job ${subject} (number ${extra}), wallet ${party}, ${amount} units`;
    case TX.proof:
      return `${name} job ${subject}, worker ${party}, ${extra === 1 ? "the output's hash" : "another hash"}`;
    case TX.settle:
      return `${name} job ${subject}, worker ${party}, ${amount} units, ${extra} returned`;
    case TX.refund:
    case TX.giveBack:
      return `${name} job ${subject}, ${amount} units`;
    case TX.dispute:
      return `${name} job ${subject}`;
    case TX.verdict:
      return `${name} job ${subject}, worker ${party}, ${extra === 1 ? "fraudulent" : "honest"}, ${amount} units to the client`;
    case TX.slash:
      return `${name} worker ${subject}, job ${party}, ${amount} tokens`;
    case TX.stake:
      return `${name} ${party === 1 ? "native" : "browser"} worker ${subject}, ${amount} tokens`;
    case TX.unstake:
      return `${name} worker ${subject}, ${amount} tokens`;
  }
}
