/** Sections 4.5 and 4.6: what a wallet sees of another wallet's jobs, which is nothing. */
import { at } from "../../exchange/exchange.ts";
import type { JobsQuery } from "../api.ts";
import { defineCase } from "../case.ts";
import { openDispute } from "../support/disputed.ts";
import { begin } from "../support/in-flight.ts";
import { idsOf, readJob, settledJob } from "../support/jobs.ts";
import { listOrder, shortChats, stock } from "../support/library.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { walk } from "../support/pages.ts";
import { isErrorObject, refusedToStranger, told } from "../support/refusals.ts";

/** "Lists the jobs that belong to the authenticated key": in no page, under no filter, behind no cursor is there a job of another wallet. */
const lists = defineCase({
  id: "4.6/other-wallet",
  title: "no page, filter or cursor shows a job of another wallet",
  requirements: ["4.6/3", "4.6/21"],
  needs: ["credits", "second-wallet"],
  cost: (prices) => 6 * prices.flat,
  async run(t) {
    const other = await t.otherWallet();
    const mine: string[] = [];
    const theirs: string[] = [];
    for (let round = 0; round < 3; round++) {
      mine.push(...(await stock(t, shortChats(1))).ids);
      theirs.push(...(await stock(t, shortChats(1), { api: other.api })).ids);
    }
    const pairs = [
      { api: t.api, own: mine, foreign: theirs },
      { api: other.api, own: theirs, foreign: mine },
    ];
    for (const { api, own, foreign } of pairs) {
      const none = async (query: JobsQuery, row: "4.6/3" | "4.6/21"): Promise<boolean> => {
        const page = await api.jobs({ limit: 100, ...query });
        const shown = idsOf(page).filter((id) => foreign.includes(id));
        return t.check(row, shown.length === 0, { expected: "no job of another wallet", seen: shown, exchanges: page });
      };
      const [status, model] = ["settled", t.model().id];
      const plain: JobsQuery[] = [
        {},
        { limit: 1 },
        { limit: 2 },
        { status },
        { model },
        { status, model },
        { limit: 20 },
      ];
      for (const query of plain) if (!(await none(query, "4.6/3"))) return;
      for (const cursor of ["before", "after"] as const) {
        for (const id of own) if (!(await none({ [cursor]: id }, "4.6/3"))) return;
        for (const id of foreign) {
          for (const more of [{}, { status }, { model }, { limit: 1 }]) {
            if (!(await none({ [cursor]: id, ...more }, "4.6/21"))) return;
          }
        }
      }
      const order = await listOrder(
        t,
        own.map((id) => [id]),
        api,
      );
      const walked = await walk(t, { order, api, query: { limit: 1 }, mostPages: 8 });
      const strangers = walked.ids.filter((id) => foreign.includes(id));
      const exchanges = walked.pages.map((page) => page.exchange);
      t.check("4.6/3", strangers.length === 0, { expected: "no job of another wallet", seen: strangers, exchanges });
    }
  },
});

/** A job of another wallet is shown to nobody else, in whatever state it is, and nobody else disputes it. */
const single = defineCase({
  id: "4.5/other-wallet",
  title: "a job of another wallet is neither shown nor disputed",
  requirements: ["4.5/2", "4.5/3", "4.7/15"],
  needs: ["credits", "second-wallet"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const other = await t.otherWallet();
    for (const stream of [false, true]) {
      const theirs = await t.complete({ stream }, other.api);
      const job = await settledJob(t, theirs.jobId, other.api);
      const unknown = await t.api.job(`job_${t.random.text(24)}`);
      t.check("4.5/2", unknown.status === 404, { expected: "404", seen: unknown.status });
      const answer = await t.api.job(theirs.jobId);
      const exchanges = [unknown, answer];
      t.check("4.5/3", refusedToStranger(answer) && isErrorObject(answer), {
        ...REFUSED,
        seen: told(answer),
        exchanges,
      });
      const address = at(job.json, "worker_address");
      const leaks = typeof address === "string" && answer.text.includes(address);
      t.check("4.5/3", !leaks, { title: "An answer tells of another wallet's job.", seen: answer.text, exchanges });

      const hashes = [at(job.json, "on_chain", "proof_hash"), ZEROES].filter((hash) => typeof hash === "string");
      for (const hash of hashes) {
        const dispute = await t.api.dispute(theirs.jobId, hash);
        const refused = refusedToStranger(dispute) && isErrorObject(dispute);
        if (!t.check("4.7/15", refused, { ...REFUSED, seen: told(dispute), exchanges: dispute })) return;
      }
      const after = await readJob(t, theirs.jobId, other.api);
      t.check("4.7/15", at(after.json, "status") === "settled", {
        title: "A dispute by another wallet changed a job.",
        expected: "settled",
        seen: after.text,
        exchanges: after,
      });
    }
    // A state of the job opens it to nobody: neither while it is in flight, nor once it is disputed.
    const foreign = async (jobId: string, state: string): Promise<void> => {
      const answer = await t.api.job(jobId);
      t.check("4.5/3", refusedToStranger(answer), {
        ...REFUSED,
        title: `a job of another wallet can be read ${state}`,
        seen: `${answer.status} ${answer.text}`,
        exchanges: answer,
      });
    };
    const flying = await begin(t, { max_tokens: 32 }, other.api);
    await foreign(flying.jobId, "while it is in flight");
    await flying.pending.finish();
    if (mayOpenDisputes(t)) {
      const { done } = await openDispute(t, {}, other.api);
      await foreign(done.jobId, "while it is disputed");
    }
  },
});

const REFUSED = { expected: "404 or 403 with an error object" };
const ZEROES = `sha256:${"0".repeat(64)}`;

export const isolationCases = [lists, single];
