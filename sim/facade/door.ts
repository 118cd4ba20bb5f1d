/**
 * The door's small functions, in one record. Everything that the service says or decides goes through one of them, so that a planted defect
 * replaces one and touches nothing else. `honestDoor` is the service as the contract wants it.
 */
import type { ServiceEvent } from "../port.ts";
import { accountBody, balance } from "./account.ts";
import { chatBody, chunkBody, frame } from "./chat-body.ts";
import { chatFields, fitsContext, naturalLength } from "./chat-request.ts";
import { deliverySucceeded, nextAttemptAt, signature } from "./deliveries.ts";
import { disputeBody, disputeFields, hashesDiffer, outputHash, postedHash } from "./disputes.ts";
import { envelope, eventData, subscribers } from "./events.ts";
import type { Fields } from "./fields.ts";
import type { Answer } from "./http.ts";
import type { Call, Inside } from "./inside.ts";
import { jobBody } from "./job-body.ts";
import {
  type JobPage,
  type JobQuery,
  type JobsQueryRules,
  jobsQueryRules,
  matches,
  pageBody,
  pageOf,
} from "./job-list.ts";
import type { JobRecord } from "./jobs.ts";
import { authenticate, type Key } from "./keys.ts";
import { modelBody } from "./models.ts";
import { receipt } from "./receipts.ts";
import { errorBody, type Refusal } from "./refusal.ts";
import { type PlannedText, planText } from "./text.ts";
import type { Webhook } from "./webhook-book.ts";
import { webhookBody, webhookFields } from "./webhooks.ts";

/** What an endpoint may do with a thing that another wallet owns: to the honest service all of these are one. */
export type Purpose = "read" | "dispute" | "cursor" | "delete" | "list";

export interface Door {
  // --- sections 3.3, 5, 7
  authenticate(
    inside: Inside,
    authorization: string | undefined,
    request: { method: string; path: string },
  ): Key | Refusal;
  /** The answer in error; receipt headers are added to it. */
  refuse(inside: Inside, refusal: Refusal): Answer;
  /** Whether a wallet may see and change what belongs to `owner`. */
  owns(owner: number, wallet: number, purpose: Purpose): boolean;

  // --- section 4.1
  readonly chatFields: Fields;
  fitsContext(inside: Inside, model: number, promptTokens: number, maxTokens: number): boolean;
  /** Tokens that a model says by itself. */
  naturalLength: typeof naturalLength;
  planText: typeof planText;
  chatBody(inside: Inside, record: JobRecord): Readonly<Record<string, unknown>>;
  chunkBody(
    inside: Inside,
    record: JobRecord,
    delta: Readonly<Record<string, string>>,
    finish: string | null,
  ): Readonly<Record<string, unknown>>;
  /** One event of a stream. */
  frame(inside: Inside, data: string): string;
  /** Text of the tokens from `from` to `to` of a stream. */
  chunkText(plan: PlannedText, from: number, to: number): string;

  // --- sections 4.2 to 4.6
  modelBody(inside: Inside, model: number): Readonly<Record<string, unknown>>;
  /** Models that `GET /v1/models` shows. */
  listedModels(inside: Inside): readonly number[];
  balance(inside: Inside, wallet: number): number;
  accountBody(inside: Inside, key: Key): Readonly<Record<string, unknown>>;
  jobBody(inside: Inside, record: JobRecord): Readonly<Record<string, unknown>>;
  readonly jobsQuery: JobsQueryRules;
  /** Jobs that a wallet's list is made of, in order of creation. */
  listedJobs(inside: Inside, wallet: number, query: JobQuery): readonly JobRecord[];
  matches(inside: Inside, record: JobRecord, query: JobQuery): boolean;
  pageOf(inside: Inside, jobs: readonly JobRecord[], query: JobQuery): JobPage;
  pageBody: typeof pageBody;

  // --- section 4.7
  readonly disputeFields: Fields;
  /** `sha256:<hex>` of a text as section 4.7 wants it. */
  outputHash(text: string): string;
  /** What the worker posted on-chain. */
  postedHash(inside: Inside, record: JobRecord): string;
  /** Whether what a client received is not what the worker posted. */
  hashesDiffer(inside: Inside, record: JobRecord, received: string): boolean;
  disputeBody: typeof disputeBody;

  // --- sections 4.8 to 4.10
  readonly webhookFields: Fields;
  webhookBody(inside: Inside, webhook: Webhook): Readonly<Record<string, unknown>>;
  listedWebhooks(inside: Inside, wallet: number): readonly Webhook[];
  removeWebhook(inside: Inside, webhook: Webhook): void;

  // --- section 4.11
  receipt(inside: Inside, subject: Receivable): Readonly<Record<string, string>>;

  // --- section 6
  subscribers(inside: Inside, event: ServiceEvent): readonly Webhook[];
  eventData(inside: Inside, event: ServiceEvent): Readonly<Record<string, unknown>>;
  envelope: typeof envelope;
  signature: typeof signature;
  deliverySucceeded: typeof deliverySucceeded;
  nextAttemptAt: typeof nextAttemptAt;
}

/** Whose receipt is asked: of an answer to a key, about a job or none, at which moment of a stream. */
export interface Receivable {
  readonly key: Key | undefined;
  readonly job: JobRecord | undefined;
  readonly moment: "head" | "whole" | "trailer";
}

export const honestDoor: Door = {
  authenticate: (inside, authorization) => authenticate(inside.keys, authorization, inside.shape),
  refuse: (inside, refusal) => ({
    status: refusal.status,
    headers: { ...refusal.headers },
    body: errorBody(refusal, inside.shape, inside.brand),
  }),
  owns: (owner, wallet) => owner === wallet,
  chatFields,
  fitsContext,
  naturalLength,
  planText,
  chatBody,
  chunkBody,
  frame,
  chunkText: (plan, from, to) =>
    plan.text.slice(from === 0 ? 0 : plan.ends[from - 1], to === 0 ? 0 : plan.ends[to - 1]),
  modelBody,
  listedModels: ({ network }) => [...network.models.keys()].filter((model) => network.activeWorkers(model) > 0),
  balance,
  accountBody,
  jobBody,
  jobsQuery: jobsQueryRules,
  listedJobs: (inside, wallet) => inside.jobs.of(wallet),
  matches,
  pageOf,
  pageBody,
  disputeFields,
  outputHash,
  postedHash,
  hashesDiffer,
  disputeBody,
  webhookFields,
  webhookBody,
  listedWebhooks: (inside, wallet) => inside.webhooks.of(wallet),
  removeWebhook: (inside, webhook) => {
    inside.webhooks.remove(webhook);
    inside.deliveries.forget(webhook);
  },
  receipt,
  subscribers,
  eventData,
  envelope,
  signature,
  deliverySucceeded,
  nextAttemptAt,
};

export type { Call };
