/** Figures of a run, folded from its trace. */
export { FigureFold, type Figures, type Times, type WorkerFigures } from "./figures.ts";
export { Histogram } from "./histogram.ts";
export {
  byOperator,
  type CheatFigures,
  type GasCosts,
  LedgerOfParties,
  type Operation,
  type PartyFigures,
  type PartyNames,
} from "./ledger-of-parties.ts";
