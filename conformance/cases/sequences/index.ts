/** Sequences: what only many things one after another can show. */
export { sequenceCases } from "./everything.ts";
