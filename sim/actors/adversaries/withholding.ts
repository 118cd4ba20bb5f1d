/**
 * A worker that withholds: it takes a job, and neither delivers nor posts a proof.
 *
 * Economics. Tokens pass through the gateway, so what is not delivered is not proven and not paid: each job brings 0 and costs nothing but the slot,
 * which is taken until the client is refunded at 120 s. There is no gain inside of the network; it is sabotage, or extortion. The client gets all
 * units back and has lost two minutes, the other workers get less load or more, and there is no fraud to slash. What helps is a router that
 * remembers (`reputation`): a worker that withholds every job soon gets hardly any.
 */
import type { MakeConduct } from "./conduct.ts";

export const withholding: MakeConduct = (changes) => ({
  name: "withhold",
  how: 4,
  withholds: true,
  hashFits: true,
  pace: 1_000,
  effort: 0,
  resemblance: 0,
  ...changes,
});
