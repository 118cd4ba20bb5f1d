/** More single flaws: what comes back, what comes late, what only one of many ways leads to. */
import type { Flaw } from "./flaws.ts";

export const MORE_FLAWS = {
  // Account and models
  "topup-time-local": { row: "2.1/3", what: "after a second top-up `last_topup_at` has no zone" },
  "max-latency-fraction": { row: "2.2/4", what: "the latency of max models is no integer" },
  "browser-uncounted": { row: "2.2/8", what: "a browser worker that joins is not counted" },
  "second-lite-dearer": { row: "8/6", what: "the second lite model charges a unit more than it lists" },
  "browser-dearer": { row: "2.3/7", what: "jobs of browser workers tell a value of another number of units" },
  "browser-address-short": { row: "2.3/8", what: "jobs of browser workers name their worker by half of its address" },
  // Jobs
  "settled-flickers": { row: "3.1/9", what: "every fifth reading of a settled job says `settling`" },
  "second-timeout-failed": { row: "3.1/6", what: "the second job of a wallet that times out is `failed`" },
  "refund-taken-back": { row: "4.1/39", what: "two hours after a refund its units are gone again" },
  "topup-ends-dispute": { row: "3.1/17", what: "a top-up makes the wallet's disputed jobs settled" },
  "fraud-pays-streams-twice": {
    row: "3.1/16",
    what: "a verdict of fraud pays a stream back twice",
    choices: { afterVerdict: "refunded" },
  },
  "late-work-paid": {
    row: "3.1/12",
    what: "a refunded job whose worker was at work is settled when it is done",
    choices: { perToken: 60 },
  },
  "job-forgotten": { row: "4.5/1", what: "a job that settled a day ago is unknown" },
  "list-forgets-days": { row: "4.6/2", what: "jobs of yesterday are not in the list" },
  "list-of-hundred": { row: "4.6/16", what: "only the newest hundred jobs are ever listed" },
  "cursor-by-second": { row: "4.6/16", what: "a cursor leaves out the jobs of its own second" },
  "tenth-unlisted": { row: "4.6/2", what: "each tenth job of a wallet is not listed" },
  "third-page-without-usage": { row: "2.5/6", what: "jobs on the third page have no usage" },
  "refunded-with-failed": { row: "4.6/11", what: "the filter `refunded` shows failed jobs, too" },
  // Money
  "long-otherwise-after-topup": { row: "4.1/44", what: "after a top-up long completions follow another reading" },
  "stream-edge-later": { row: "4.1/44", what: "the flat price of streams reaches 20 tokens further" },
  "pro-edge-later": { row: "4.1/44", what: "the flat price of pro models reaches 15 tokens further" },
  "refund-held": { row: "7.3/5", what: "refunded units cannot be spent for 10 s" },
  "same-block-difference": { row: "4.1/45", what: "of two jobs that settle in one block one loses its difference" },
  "hundredth-refused": { row: "8/4", what: "the hundredth request of a wallet is refused" },
  "completed-before-difference": {
    row: "6.2/4",
    what: "`credits_remaining` of a stream's `job.completed` lacks the difference that came back",
  },
  // Disputes
  "equal-uses-it-up": { row: "4.7/3", what: "after an equal hash no other is heard" },
  // Webhooks
  "http-for-localhost": { row: "4.8/3", what: "an `http:` URL of this very machine is accepted" },
  "http-in-capitals": { row: "4.8/3", what: "a URL that begins with `HTTP:` is accepted" },
  "secret-null": { row: "4.8/2", what: "a webhook's secret may be null" },
  "failed-hook-recovers": { row: "3.2/1", what: "a failed webhook is active again after a day" },
  "failed-unlisted": { row: "4.9/1", what: "a failed webhook is not listed" },
  "deleted-returns": { row: "4.10/1", what: "a deleted webhook is listed again after a minute" },
  "delete-takes-twin": { row: "4.10/1", what: "deleting a webhook deletes the wallet's oldest, too" },
  "receipt-forgets-topup": {
    row: "4.11/7",
    what: "receipts tell the balance without the last top-up until something is charged",
    choices: { receiptsAlways: true },
  },
  // Events
  "fourth-completed-lost": { row: "6.1/3", what: "each fourth `job.completed` of a wallet is not sent" },
  "low-not-by-streams": { row: "6.1/7", what: "`credit.low` is not sent when a stream crosses the threshold" },
  "submitted-at-the-end": { row: "6.1/1", what: "`job.submitted` is sent when the job is over" },
  "processing-at-the-end": { row: "6.1/2", what: "`job.processing` is sent when the job is over" },
  "success-ends-others": { row: "6.4/3", what: "a delivery that succeeds ends the attempts of others" },
  "retries-hold-back": { row: "6.4/5", what: "while one event is tried again, the next waits" },
  "limit-of-eleven": { row: "6.4/4", what: "an answer after 11 s is in time" },
  "limit-of-nine": { row: "6.4/4", what: "an answer after 9.4 s is too late" },
  "topup-not-retried": { row: "6.4/3", what: "`credit.topup` is tried once" },
  "timeout-not-retried": { row: "6.4/3", what: "`job.timeout` is tried once" },
  "event-created-at-boot": { row: "2.7/2", what: "`created_at` of events is a fixed time of last year" },
  "hook-created-at-boot": { row: "2.6/1", what: "`created_at` of webhooks is when the service began" },
  // Requests
  "stream-top-p-text": { row: "4.1/7", what: "a stream's `top_p` may be a text" },
  "fourth-stop-ignored": { row: "4.1/11", what: "of stop sequences only three are heeded" },
  "text-parts-crash": { row: "1/15", what: "content in text parts is answered 500" },
  "fifteenth-without-done": { row: "4.1/27", what: "each fifteenth stream of a run ends without [DONE]" },
  "thirtieth-never-settles": { row: "3.1/8", what: "each thirtieth job of a run never settles" },
  "completed-tomorrow": { row: "2.3/26", what: "`completed_at` of streams is a day late" },
  "dispute-tx-is-settlement": { row: "2.8/3", what: "a dispute's transaction is the settlement of its job" },
  "refund-tx-is-lock": { row: "7.2/9", what: "a 504 tells the escrow lock as the refund" },
  "docs-missing-for-504": { row: "7/3", what: "a 504 has no `docs`" },
  "chunk-created-milliseconds": { row: "2.4/10", what: "`created` of a stream is in milliseconds" },
  "other-key-after-revocation": { row: "3.3/2", what: "a key that was suspended before is 403 when it is revoked" },
  "capital-hash-opens-equal": {
    row: "4.7/5",
    what: "the hash is compared with its case, and the job's is told in capitals",
  },
} as const satisfies Readonly<Record<string, Flaw>>;
