/** Sections 2.6 and 4.8 to 4.10: webhooks. What they are sent is section 6's. */
import { createCases } from "./create.ts";
import { listAndDeleteCases } from "./list-and-delete.ts";

export const section48Webhooks = [...createCases, ...listAndDeleteCases];
