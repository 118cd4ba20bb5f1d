/** Single flaws that can be put into the alien service, each with the requirement that it breaks. Most hide: in one tier, page, form or attempt. */
import type { RequirementId } from "../../../fixtures/protocol/requirements/index.ts";
import type { Choices } from "./choices.ts";

export interface Flaw {
  readonly row: RequirementId;
  readonly what: string;
  /** Choices under which it shows, where not under all. */
  readonly choices?: Partial<Choices>;
}

export const FLAWS = {
  "third-page-skips": { row: "4.6/16", what: "from the third page on a walk leaves out one job" },
  "cursor-repeats": { row: "4.6/16", what: "with a filter the cursor's own job is shown again" },
  "filter-after-limit": { row: "4.6/13", what: "a status filter is applied to the page, not to the list" },
  "model-by-prefix": { row: "4.6/12", what: "the model filter lets ids through that begin with the one asked for" },
  "full-page-has-more": { row: "2.5/5", what: "a full last page says that there is more" },
  "limit-100-is-99": { row: "4.6/5", what: "a limit of 100 shows 99 jobs" },
  "default-of-25": { row: "4.6/4", what: "without a limit a page has 25 jobs" },
  "foreign-cursor": { row: "4.6/21", what: "a cursor of another wallet's job lists that wallet's jobs" },
  "foreign-dispute": { row: "4.7/15", what: "a job of another wallet can be disputed" },
  "foreign-delete": { row: "4.10/4", what: "a webhook of another wallet can be deleted" },
  "foreign-job": { row: "4.5/3", what: "a settled job can be read by anybody who knows its id" },
  "topup-frees-locks": { row: "2.1/9", what: "a top-up while a job is in flight forgets what is locked for it" },
  "max-refund-flat": {
    row: "4.1/39",
    what: "a time-out on a max model gives back the flat price only, not the estimate",
  },
  "stream-keeps-difference": { row: "4.1/45", what: "a stream's unused estimate is kept" },
  "failed-stream-keeps": { row: "1/9", what: "a stream whose worker drops out is not paid back" },
  "lock-after-pause": { row: "4.1/48", what: "the balance is looked at before a pause and locked after it" },
  "exact-balance-short": { row: "8/7", what: "a balance of exactly the price does not pay for a pro or max request" },
  "max-long-price": { row: "4.1/44", what: "long completions on max follow another reading" },
  "flat-to-600": { row: "4.1/42", what: "the flat price reaches to 600 tokens" },
  "topup-time-old": { row: "2.1/9", what: "the second top-up leaves `last_topup_at` as it was" },
  "value-rounded": {
    row: "2.1/2",
    what: "`usdg_value` of the account is rounded to whole units of the stablecoin above 10",
  },
  "units-fade": { row: "1/5", what: "a balance loses a unit a day" },
  "charge-on-leave": { row: "4.1/52", what: "a client that leaves a stream pays twice" },
  "timeout-early": { row: "4.1/40", what: "a job times out after 119.5 s" },
  "lite-timeout-late": { row: "7.2/8", what: "a job on a lite model times out after 150 s" },
  "refund-told-flat": { row: "7.2/11", what: "a 504 tells of the flat price, though an estimate was locked" },
  "window-61": { row: "4.7/11", what: "disputes are heard for 61 s" },
  "window-from-request": { row: "4.7/10", what: "the dispute window is counted from the request" },
  "late-equal-heard": { row: "4.7/12", what: "a late dispute with the worker's own hash is answered 200" },
  "second-dispute-anew": { row: "4.7/17", what: "a second dispute with another hash makes a new transaction" },
  "disputed-fades": { row: "3.1/17", what: "a disputed job is settled again after two hours" },
  "dishonest-unfound": {
    row: "4.7/22",
    what: "the hash of the delivered text of a dishonest worker is taken for equal",
  },
  "key-cached": { row: "5/10", what: "a revoked key can read jobs for 30 s more" },
  "suspended-reads": { row: "3.3/4", what: "a suspended key may read its account" },
  "stream-401-for-suspended": { row: "3.3/3", what: "a stream with a suspended key is answered 401" },
  "stream-hash-cut": {
    row: "4.1/32",
    what: "the hash of a stream cut by max_tokens is of its text without the last token",
  },
  "stream-runs-over": { row: "4.1/35", what: "a stream is one token longer than its max_tokens" },
  "stream-shows-stop": { row: "4.1/35", what: "a stream's text ends with its stop sequence" },
  "length-says-stop": { row: "4.1/15", what: "a stream cut by max_tokens says `stop`" },
  "done-forgotten": { row: "4.1/27", what: "a stream cut by max_tokens ends without [DONE]" },
  "role-late": { row: "4.1/25", what: "a stream of one chunk has no role" },
  "stream-held-back": { row: "4.1/51", what: "a stream of a max model is sent when it is complete" },
  "stream-worker-other": { row: "4.11/6", what: "a stream's receipt names another worker than its job" },
  "settlement-is-escrow": {
    row: "2.3/22",
    what: "after a top-up a job's settlement is told to be its escrow transaction",
  },
  "usage-off-when-cut": { row: "2.3/17", what: "the total of a job that was cut is one too few" },
  "tier-swapped": { row: "2.3/5", what: "in a list, jobs of pro models are told to be standard" },
  "fifth-unsigned-body": { row: "6.3/2", what: "the fifth attempt's signature is over another body" },
  "sixth-attempt": { row: "6.4/8", what: "there is a sixth attempt" },
  "fails-at-fourth": { row: "3.2/3", what: "the fourth failure makes the webhook failed" },
  "late-2xx-counts": { row: "6.4/4", what: "an answer after 12 s counts as delivered" },
  "redirect-counts": { row: "6.4/13", what: "a 302 counts as delivered" },
  "retries-after-delete": { row: "4.10/7", what: "deleting a webhook leaves its later attempts" },
  "low-at-threshold": { row: "6.1/12", what: "`credit.low` is sent at a balance of exactly the threshold" },
  "low-once-ever": { row: "6.1/14", what: "`credit.low` is sent once in a wallet's life" },
  "stream-failure-silent": { row: "6.1/4", what: "`job.failed` is not sent for streams" },
  "timeout-told-to-all": { row: "6/4", what: "`job.timeout` goes to every wallet" },
  "completed-tells-lock": { row: "6.2/3", what: "`job.completed` tells the lock of a long completion as its charge" },
  "slash-for-honest": { row: "6.1/16", what: "a verdict of honesty slashes, too" },
  "second-secret": { row: "6.3/5", what: "a second webhook of a wallet is signed with the first one's secret" },
  "context-422": { row: "7.2/12", what: "a conversation beyond the context window is refused with 422" },
  "param-of-events": { row: "7.1/2", what: "a webhook without `secret` is refused with the param `url`" },
  "unknown-job-html": { row: "7/1", what: "an unknown job is answered in HTML" },
  "details-of-cheapest": { row: "7.2/2", what: "a 402 tells the tier lite whatever was asked for" },
  "penalty-edge": { row: "4.1/12", what: "a penalty of exactly -2.0 is refused" },
  "temperature-edge": { row: "4.1/10", what: "a temperature of 2.05 is accepted" },
  "array-stop-first": { row: "4.1/11", what: "of several stop sequences only the first is heeded" },
} as const satisfies Readonly<Record<string, Flaw>>;

export type FlawId = keyof typeof FLAWS;
