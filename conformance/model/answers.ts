/** How a chat must be answered, given all that went before. */
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { ListedModel } from "../cases/case.ts";
import type { Behaviour } from "../target/controls.ts";
import { mostLocked, type Possible } from "./balance.ts";
import type { ModelWallet } from "./state.ts";

/** One way in which a request may be answered; `code` undefined is any. */
export interface Answer {
  readonly status: number | "5xx";
  readonly code?: string | undefined;
}

/** The answers that are right, and the row that any other one breaks; `refused` is the row where 402 came for units that were there. */
export interface Expected {
  readonly right: readonly Answer[];
  readonly row: RequirementId;
  readonly unpaid: RequirementId;
}

/** What has been asked of whom. */
export interface Asked {
  readonly wallet: ModelWallet;
  readonly model: ListedModel;
  readonly most: number | null;
  readonly worker: Behaviour;
  /** Whether the workers were told otherwise earlier: what they did then must not last. */
  readonly before: Behaviour;
  /** Whether the completion may take longer than 120 s. */
  readonly long: boolean;
  /** Whether the run steers the workers: else a network may have troubles of its own. */
  readonly steered: boolean;
  readonly balance: Possible;
  /** Whether units have come back since the balance was last seen. */
  readonly refunded: boolean;
}

const SHORT_OF_UNITS: Answer = { status: 402, code: "insufficient_credits" };
const ABSENT: Answer = { status: 503, code: "no_workers_available" };
const LATE: Answer = { status: 504, code: "job_timeout" };
const FAILED: Answer = { status: "5xx" };
const DONE: Answer = { status: 200 };

const BY_KEY = {
  revoked: { answer: { status: 401, code: "invalid_api_key" }, row: "3.3/2" },
  suspended: { answer: { status: 403, code: "key_suspended" }, row: "3.3/3" },
} as const;

/** How a chat must be answered. Where two things stand in its way, either may be told. */
export function expectedAnswer(asked: Asked): Expected {
  const { wallet, model, balance } = asked;
  const unpaid: RequirementId = asked.refunded ? "7.3/5" : "8/4";
  if (wallet.key !== "active") {
    const { answer, row } = BY_KEY[wallet.key];
    return { right: [answer], row, unpaid: row };
  }
  const served = byWorker(asked);
  if (balance.most < model.credits_per_request) {
    return { right: [SHORT_OF_UNITS, ...(asked.worker === "absent" ? [ABSENT] : [])], row: "5/12", unpaid };
  }
  const enough = balance.least >= mostLocked(model, asked.most);
  return { right: enough ? served.right : [SHORT_OF_UNITS, ...served.right], row: served.row, unpaid };
}

function byWorker({ worker, before, long, steered }: Asked): Pick<Expected, "right" | "row"> {
  switch (worker) {
    case "absent":
      return { right: [ABSENT], row: "7.2/4" };
    case "silent":
      return { right: [LATE], row: "7.2/8" };
    case "failing":
      return { right: [FAILED], row: "3.1/19" };
    default: {
      const right = steered ? (long ? [DONE, LATE] : [DONE]) : [DONE, FAILED];
      return { right, row: before === "absent" ? "7.2/7" : before === "normal" ? "8/4" : "7.3/1" };
    }
  }
}

/** Whether an answer is one of those. */
export function isAnswer(status: number, code: string | null, right: readonly Answer[]): boolean {
  return right.some((each) => {
    const fits = each.status === "5xx" ? status >= 500 : each.status === status;
    return fits && (each.code === undefined || each.code === code);
  });
}

/** The right answers in words. */
export function answersInWords(right: readonly Answer[]): string {
  return right
    .map((each) => (each.code === undefined ? String(each.status) : `${each.status} ${each.code}`))
    .join(" or ");
}
