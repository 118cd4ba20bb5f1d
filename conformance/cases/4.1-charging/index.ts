/** Section 4.1, the charging rules: locks, charges, differences, prices. */
import { lengthPriceCases } from "./lengths.ts";
import { lockCases } from "./locks.ts";
import { togetherCases } from "./together.ts";

export const section41Charging = [...lockCases, ...togetherCases, ...lengthPriceCases];
