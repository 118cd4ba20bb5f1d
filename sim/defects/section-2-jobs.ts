/** Defects in the fields of jobs and pages (sections 2.3, 2.5). */
import { createHash } from "node:crypto";
import { HOUR } from "../core/index.ts";
import { view } from "../facade/inside.ts";
import { job, jobViews, within, without } from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";

const later = (text: unknown, milliseconds: number): string =>
  new Date(Date.parse(String(text)) + milliseconds).toISOString();

export const section2Job = [
  single(
    "job-object-named-inference",
    "2.3/1",
    "A job's `object` is `inference`",
    job((body) => ({ ...body, object: "inference" })),
  ),
  single(
    "job-status-completed",
    "2.3/2",
    "Settled jobs have the status `completed`",
    job((body) => ({
      ...body,
      status: body.status === "settled" ? "completed" : body.status,
    })),
  ),
  single(
    "job-model-tagged",
    "2.3/3",
    "A job's model bears a tag",
    job((body) => ({ ...body, model: `${body.model}:latest` })),
  ),
  single(
    "job-tier-of-14b",
    "2.3/5",
    "Jobs of the 14B model show the tier below its own",
    job((body, inside, record) => ({
      ...body,
      tier: inside.network.models[record.model]!.parameters === "14B" ? "standard" : body.tier,
    })),
  ),
  single(
    "job-charge-text",
    "2.3/6",
    "A job's charge is a string",
    job((body) => ({
      ...body,
      credits_charged: body.credits_charged === null ? null : String(body.credits_charged),
    })),
  ),
  single(
    "job-value-rounded",
    "2.3/7",
    "A job's stablecoin value is rounded to a tenth",
    job((body) => ({
      ...body,
      usdg_value: typeof body.usdg_value === "number" ? Math.round(body.usdg_value * 10) / 10 : body.usdg_value,
    })),
  ),
  single(
    "job-worker-short",
    "2.3/8",
    "A job's worker address is abbreviated",
    job((body) => ({
      ...body,
      worker_address: typeof body.worker_address === "string" ? `${body.worker_address.slice(0, 10)}...` : null,
    })),
  ),
  single(
    "job-time-without-zone",
    "2.3/9",
    "A job's times have no zone",
    job((body) => ({
      ...body,
      created_at: String(body.created_at).slice(0, -1),
    })),
  ),
  single(
    "job-completed-before-created",
    "2.3/10",
    "A job is completed a minute before it was created",
    job((body) => ({
      ...body,
      completed_at: typeof body.completed_at === "string" ? later(body.created_at, -60_000) : body.completed_at,
    })),
  ),
  single(
    "job-created-in-local-time",
    "2.3/11",
    "A job's times are local ones, two hours ahead, called UTC",
    job((body) => ({
      ...body,
      created_at: later(body.created_at, (2 * HOUR) / 1_000),
      completed_at: typeof body.completed_at === "string" ? later(body.completed_at, (2 * HOUR) / 1_000) : null,
    })),
  ),
  single(
    "job-escrow-unprefixed",
    "2.3/12",
    "A job's transaction hashes lack their 0x",
    job((body) => within(body, "on_chain", (chain) => ({ ...chain, escrow_tx: String(chain.escrow_tx).slice(2) }))),
  ),
  single(
    "job-block-text",
    "2.3/13",
    "A job's block number is a string",
    job((body) =>
      within(body, "on_chain", (chain) => ({
        ...chain,
        block_number: chain.block_number === null ? null : `0x${Number(chain.block_number).toString(16)}`,
      })),
    ),
  ),
  single(
    "job-proof-bare",
    "2.3/14",
    "A job's proof hash lacks its prefix",
    job((body) =>
      within(body, "on_chain", (chain) => ({ ...chain, proof_hash: String(chain.proof_hash).replace("sha256:", "") })),
    ),
  ),
  single(
    "job-without-escrow-address",
    "2.3/15",
    "A settled job does not tell the escrow's address",
    job((body) => within(body, "on_chain", (chain) => without(chain, "escrow_address"))),
  ),
  single(
    "job-usage-without-total",
    "2.3/16",
    "A job's usage has no total",
    job((body) => within(body, "usage", (usage) => without(usage, "total_tokens"))),
  ),
  single(
    "stream-job-total-off",
    "2.3/17",
    "The total of a streamed job's usage is one too many",
    job((body, _, record) =>
      within(body, "usage", (usage) => ({
        ...usage,
        total_tokens: Number(usage.total_tokens) + (record.streamed ? 1 : 0),
      })),
    ),
  ),
  single(
    "job-usage-recounted",
    "2.3/18",
    "A job counts one output token more than its completion",
    job((body) =>
      within(body, "usage", (usage) => ({
        ...usage,
        completion_tokens: Number(usage.completion_tokens) + 1,
        total_tokens: Number(usage.total_tokens) + 1,
      })),
    ),
  ),
  sequence(
    "unfinished-job-empty-texts",
    "2.3/20",
    "Fields of an unfinished job that are not known are empty strings",
    job((body) => (body.completed_at === null ? { ...body, credits_charged: "", completed_at: "" } : body)),
  ),
  single(
    "settlement-is-the-lock",
    "2.3/22",
    "A job's settlement is its escrow lock",
    job((body) =>
      within(body, "on_chain", (chain) =>
        chain.settlement_tx === null ? chain : { ...chain, settlement_tx: chain.escrow_tx },
      ),
    ),
  ),
  sequence("settled-job-drifts", "2.3/23", "A settled job's block is one higher at each reading", () => {
    let reads = 0;
    return job((body) =>
      within(body, "on_chain", (chain) =>
        chain.block_number === null ? chain : { ...chain, block_number: Number(chain.block_number) + reads++ },
      ),
    );
  }),
  single("proof-over-latin1", "2.3/25", "The worker hashes its text in Latin-1", {
    door: (honest) => ({
      postedHash: (inside, record) =>
        view(inside, record).honestProof
          ? `sha256:${createHash("sha256").update(record.plan.text.replace(/\n$/, ""), "latin1").digest("hex")}`
          : honest.postedHash(inside, record),
    }),
  }),
  boundary(
    "empty-charge-negative",
    "2.3/27",
    "A completion of one token is charged at minus one unit",
    jobViews((each) => ({
      charged: each.outputTokens === 1 && each.settlementTx !== 0 ? -1 : each.charged,
    })),
  ),
];

export const section2Page = [
  single("page-object-page", "2.5/1", "A page's `object` is `page`", {
    door: (honest) => ({
      pageBody: (inside, page, data) => ({ ...honest.pageBody(inside, page, data), object: "page" }),
    }),
  }),
  single("page-jobs-slim", "2.5/2", "Jobs of a page have no `usage` and no `on_chain`", {
    door: (honest) => ({
      pageBody: (inside, page, data) =>
        honest.pageBody(
          inside,
          page,
          data.map((each) => without(without(each, "usage"), "on_chain")),
        ),
    }),
  }),
  sequence("cursor-is-an-offset", "2.5/3", "`next_cursor` is a number", {
    door: (honest) => ({
      pageOf(inside, jobs, query) {
        const page = honest.pageOf(inside, jobs, query);
        return page.hasMore ? { ...page, nextCursor: String(query.limit) } : page;
      },
    }),
  }),
  boundary("full-last-page-has-more", "2.5/5", "`has_more` is true whenever a page is full", {
    door: (honest) => ({
      pageOf(inside, jobs, query) {
        const page = honest.pageOf(inside, jobs, query);
        const full = page.data.length === query.limit;
        return { ...page, hasMore: full, nextCursor: full ? page.data.at(-1)!.id : page.nextCursor };
      },
    }),
  }),
  sequence("has-more-never-beyond-first", "2.5/5", "Every page after the first says that it is the last", {
    door: (honest) => ({
      pageOf(inside, jobs, query) {
        const page = honest.pageOf(inside, jobs, query);
        const first = query.before === undefined && query.after === undefined;
        return first ? page : { ...page, hasMore: false, nextCursor: null };
      },
    }),
  }),
  sequence("page-charge-is-the-lock", "2.5/6", "In a page a job's charge is what had been locked for it", {
    door: (honest) => ({
      pageBody: (inside, page, data) =>
        honest.pageBody(
          inside,
          page,
          data.map((each, i) =>
            each.credits_charged === null ? each : { ...each, credits_charged: view(inside, page.data[i]!).locked },
          ),
        ),
    }),
  }),
];
