/** The table of contents: every case, in the contract's order. A section's file exports its cases as one list. */
import { section1 } from "./1-service/index.ts";
import { section24 } from "./2.4-messages.ts";
import { section41Charging } from "./4.1-charging/index.ts";
import { section41Request } from "./4.1-chat/index.ts";
import { section41Streams } from "./4.1-streams/index.ts";
import { section42 } from "./4.2-models.ts";
import { section48Webhooks } from "./4.8-webhooks/index.ts";
import { section6 } from "./6-events/index.ts";
import type { Case } from "./case.ts";

export const cases: readonly Case[] = [
  ...section1,
  ...section24,
  ...section41Request,
  ...section41Streams,
  ...section41Charging,
  ...section42,
  ...section48Webhooks,
  ...section6,
];
