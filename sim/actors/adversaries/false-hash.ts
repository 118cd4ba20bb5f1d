/**
 * A worker that posts a false hash: it claims payment with a proof that is not of what it delivered.
 *
 * Economics. It saves the work of the proof and most of the rest, so a job brings nearly `pay`. Any client that compares hashes knows for certain
 * and disputes, so beside the audit rate the clients' checking rate c counts: found out with q + (1 - q) * c. But a dispute is decided after the
 * payment, and by default a day later: until then every job brings `pay`, and with expulsion or too little stake left afterwards the whole fraud
 * brings (jobs until the verdict) * pay - slash * price. What deters is a short arbitration or a stake that outweighs a day's pay.
 */
import type { MakeConduct } from "./conduct.ts";

export const falseHash: MakeConduct = (changes) => ({
  name: "false-hash",
  how: 3,
  withholds: false,
  hashFits: false,
  pace: 1_000,
  effort: 0,
  resemblance: 0,
  ...changes,
});
