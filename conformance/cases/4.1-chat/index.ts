/** Section 4.1, the request: its fields, their types and ranges, and what each parameter does. */
import { everywhereCases } from "./everywhere.ts";
import { faultCases } from "./faults.ts";
import { formCases } from "./form.ts";
import { lengthCases } from "./length.ts";
import { messageCases } from "./messages.ts";
import { rangeCases } from "./ranges.ts";
import { stopCases } from "./stop.ts";

export const section41Request = [
  ...formCases,
  ...messageCases,
  ...rangeCases,
  ...everywhereCases,
  ...lengthCases,
  ...stopCases,
  ...faultCases,
];
