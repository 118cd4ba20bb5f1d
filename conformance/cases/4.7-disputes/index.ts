/** Section 4.7: disputing a job. */
import { equalCases } from "./equal.ts";
import { formCases } from "./form.ts";
import { openCases } from "./open.ts";
import { secondCases } from "./second.ts";
import { windowCases } from "./window.ts";
import { withoutResultCases } from "./without-result.ts";

export const section47 = [
  ...formCases,
  ...equalCases,
  ...openCases,
  ...windowCases,
  ...withoutResultCases,
  ...secondCases,
];
