/** The planted defects: every known way in which the simulated service can be made wrong, in the contract's order. */
import { chatCorners } from "./chat-corners.ts";
import { moreReceipts, moreRequests, moreStreams } from "./chat-more.ts";
import { cornersMore } from "./corners-more.ts";
import type { Defect } from "./defect.ts";
import { moreErrors } from "./errors-more.ts";
import {
  afterTheEnd,
  beforeTheEnd,
  ofManyJobs,
  secretsOtherwise,
  stopsOtherwise,
  unitsOtherwise,
} from "./hidden-corners.ts";
import { moreCharging } from "./money-more.ts";
import { section1 } from "./section-1.ts";
import { section2Account, section2Models } from "./section-2-account-and-models.ts";
import { section2Job, section2Page } from "./section-2-jobs.ts";
import { section2Dispute, section2Envelope, section2Messages, section2Webhook } from "./section-2-messages.ts";
import { section2More } from "./section-2-more.ts";
import { section3Jobs, section3Keys, section3Webhooks } from "./section-3.ts";
import { section3More } from "./section-3-more.ts";
import { section4Charging } from "./section-4-charging.ts";
import { section4Common, section4Request } from "./section-4-chat.ts";
import { section4Disputes } from "./section-4-disputes.ts";
import { section4DisputesMore } from "./section-4-disputes-more.ts";
import { section4JobsMore } from "./section-4-lists-more.ts";
import { section4Account, section4Jobs, section4Models } from "./section-4-reading.ts";
import { section4Streams } from "./section-4-streams.ts";
import { section4Receipts, section4Webhooks } from "./section-4-webhooks.ts";
import { section5 } from "./section-5.ts";
import { section3KeysMore, section5Keys } from "./section-5-more.ts";
import { section6Delivery, section6Signature } from "./section-6-delivery.ts";
import { section6Names, section6Payloads } from "./section-6-events.ts";
import { section6More } from "./section-6-more.ts";
import { section7Codes, section7Object, section7Retry, section7Statuses } from "./section-7.ts";
import {
  afterOtherEnds,
  afterPurchase,
  asTimePasses,
  disputesOfOneTier,
  forOneTier,
  furtherPages,
  receiptsOfOneTier,
} from "./under-conditions.ts";

export type { Defect, Reach } from "./defect.ts";

export const defects: readonly Defect[] = [
  ...section1,
  ...section2Account,
  ...section2Models,
  ...section2Job,
  ...section2Messages,
  ...section2More,
  ...section2Page,
  ...section2Webhook,
  ...section2Envelope,
  ...section2Dispute,
  ...section3Jobs,
  ...section3More,
  ...section3Webhooks,
  ...section3Keys,
  ...section3KeysMore,
  ...section4Common,
  ...section4Request,
  ...section4Streams,
  ...section4Charging,
  ...section4Models,
  ...section4Account,
  ...section4Jobs,
  ...section4JobsMore,
  ...section4Disputes,
  ...section4DisputesMore,
  ...section4Webhooks,
  ...section4Receipts,
  ...section5,
  ...section5Keys,
  ...section6Names,
  ...section6Payloads,
  ...section6Signature,
  ...section6Delivery,
  ...section6More,
  ...section7Object,
  ...section7Statuses,
  ...section7Codes,
  ...section7Retry,
  ...moreRequests,
  ...moreStreams,
  ...chatCorners,
  ...cornersMore,
  ...moreReceipts,
  ...moreCharging,
  ...moreErrors,
  ...forOneTier,
  ...disputesOfOneTier,
  ...receiptsOfOneTier,
  ...furtherPages,
  ...afterOtherEnds,
  ...afterPurchase,
  ...asTimePasses,
  ...stopsOtherwise,
  ...beforeTheEnd,
  ...afterTheEnd,
  ...ofManyJobs,
  ...unitsOtherwise,
  ...secretsOtherwise,
];

/** The defect of that id. */
export function findDefect(id: string): Defect | undefined {
  return defects.find((defect) => defect.id === id);
}
