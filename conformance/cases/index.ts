/** The table of contents: every case, in the contract's order. A section's file exports its cases as one list. */
import { section42 } from "./4.2-models.ts";
import type { Case } from "./case.ts";

export const cases: readonly Case[] = [...section42];
