/** Sections 2.5 and 4.6: the list of jobs. */
import { cursorCases } from "./cursors.ts";
import { filterCases } from "./filters.ts";
import { isolationCases } from "./isolation.ts";
import { limitCases } from "./limit.ts";
import { walkCases } from "./walks.ts";

export const section46 = [...limitCases, ...walkCases, ...cursorCases, ...filterCases, ...isolationCases];
