/** Section 7: errors. */
import { bodyCases } from "./bodies.ts";
import { capacityCases } from "./capacity.ts";
import { contextCases } from "./context.ts";
import { crashCases } from "./crash.ts";
import { creditCases } from "./credits.ts";
import { keyCases } from "./keys.ts";
import { objectCases } from "./object.ts";
import { retryCases } from "./retry.ts";
import { timeoutCases } from "./timeout.ts";

export const section7 = [
  ...objectCases,
  ...bodyCases,
  ...crashCases,
  ...keyCases,
  ...creditCases,
  ...capacityCases,
  ...timeoutCases,
  ...contextCases,
  ...retryCases,
];
