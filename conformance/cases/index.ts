/** The table of contents: every case, in the contract's order. A section's file exports its cases as one list. */

import { section1Chain } from "./1-chain.ts";
import { lastCases, section1 } from "./1-service/index.ts";
import { section21 } from "./2.1-account.ts";
import { section22 } from "./2.2-models.ts";
import { section23 } from "./2.3-job/index.ts";
import { section24 } from "./2.4-messages.ts";
import { section28 } from "./2.8-dispute-result.ts";
import { section31 } from "./3-jobs/index.ts";
import { section41Charging } from "./4.1-charging/index.ts";
import { section41Request } from "./4.1-chat/index.ts";
import { section41Streams } from "./4.1-streams/index.ts";
import { section42 } from "./4.2-models.ts";
import { section43 } from "./4.3-model.ts";
import { section44 } from "./4.4-account.ts";
import { section44Past } from "./4.4-past.ts";
import { section45 } from "./4.5-job.ts";
import { section46 } from "./4.6-jobs/index.ts";
import { section47 } from "./4.7-disputes/index.ts";
import { section48Webhooks } from "./4.8-webhooks/index.ts";
import { section411 } from "./4.11-receipts.ts";
import { section4 } from "./4-common.ts";
import { section5 } from "./5-keys/index.ts";
import { section6 } from "./6-events/index.ts";
import { section7 } from "./7-errors/index.ts";
import { section8 } from "./8-limits.ts";
import { section8Events } from "./8-low-credit.ts";
import { section8Prices } from "./8-prices.ts";
import { section9 } from "./9-versioning.ts";
import { section9Versions } from "./9-versions.ts";
import type { Case } from "./case.ts";
import { concurrencyCases } from "./concurrency/index.ts";
import { sequenceCases } from "./sequences/index.ts";

export const cases: readonly Case[] = [
  ...section1,
  ...section1Chain,
  ...section21,
  ...section22,
  ...section23,
  ...section24,
  ...section28,
  ...section31,
  ...section4,
  ...section41Request,
  ...section41Streams,
  ...section41Charging,
  ...section42,
  ...section43,
  ...section44,
  ...section44Past,
  ...section45,
  ...section46,
  ...section47,
  ...section48Webhooks,
  ...section411,
  ...section5,
  ...section6,
  ...section7,
  ...section8,
  ...section8Prices,
  ...section8Events,
  ...section9,
  ...section9Versions,
  ...concurrencyCases,
  ...sequenceCases,
  ...lastCases,
];
