/** Section 4: what all endpoints have in common. */
import { at } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { namedFields } from "./support/jobs.ts";
import { quietBalance } from "./support/money.ts";
import { answered, isErrorObject, told } from "./support/refusals.ts";
import { imaginedSights, tour } from "./support/tour.ts";

/** Bodies and responses are JSON, but for a stream; the monitors hold every answer against it. */
const json = defineCase({
  id: "4/json",
  title: "the answers of all endpoints, good and in error, are JSON and say so",
  requirements: ["4/2", "4/3"],
  async run(t) {
    const isJson = (type: string | null): boolean => /^application\/json\s*(;|$)/i.test(type ?? "");
    const good = [
      await t.api.models(),
      await t.api.model(t.model().id),
      await t.api.account(),
      await t.api.jobs(),
      await t.api.webhooks(),
    ];
    for (const exchange of good) {
      t.accepted(exchange, "reading");
      const type = exchange.headers.get("content-type");
      t.check("4/2", isJson(type) && exchange.json !== undefined, {
        title: `${exchange.endpoint} does not answer with JSON that says so`,
        expected: "application/json",
        seen: type ?? "no content type",
      });
    }
    const sights = imaginedSights(t);
    for (const stop of tour) {
      const exchange = answered(t, await stop.send(t.as(null), sights));
      if (exchange.status < 400) continue;
      const type = exchange.headers.get("content-type");
      t.check("4/3", isJson(type), {
        title: `an answer in error of ${stop.name} is not application/json`,
        expected: "application/json",
        seen: type ?? "no content type",
      });
    }
  },
});

/** No GET changes a balance, a job or a webhook. */
const reading = defineCase({
  id: "4/reading",
  title: "reading everything, many times and at once, leaves balance, jobs and webhooks as they were",
  requirements: ["4/4"],
  needs: ["credits"],
  async run(t) {
    const { jobId } = await t.complete();
    await t.jobWhen(jobId, ["settled"]);
    const balance = await quietBalance(t);
    // What a service adds to jobs and webhooks may change as it likes.
    const state = async () => {
      const jobs = at((await t.api.jobs({ limit: 5 })).json, "data");
      return {
        job: namedFields((await t.api.job(jobId)).json),
        jobs: Array.isArray(jobs) ? jobs.map(namedFields) : jobs,
        webhooks: (await t.api.webhooks()).text.match(/"wh_[^"]*"|"(?:url|status)"\s*:\s*"[^"]*"/g) ?? [],
      };
    };
    const before = await state();
    const model = t.model().id;
    for (let round = 0; round < 3; round++) {
      await Promise.all([
        t.api.models(),
        t.api.model(model),
        t.api.account(),
        t.api.job(jobId),
        t.api.jobs(),
        t.api.jobs({ limit: 1, status: "settled", model, before: jobId }),
        t.api.webhooks(),
      ]);
    }
    const after = await state();
    t.check("4/4", JSON.stringify(after) === JSON.stringify(before), {
      title: "reading changes a job or a webhook",
      expected: JSON.stringify(before),
      seen: after,
    });
    const left = await quietBalance(t);
    t.check("4/4", left === balance, { title: "reading changes the balance", expected: String(balance), seen: left });
  },
});

/** Nothing outside the endpoints is offered: neither done, nor a crash. */
const madeUp = defineCase({
  id: "4/made-up",
  title: "made-up paths and methods under /v1 are answered with an error object, neither done nor a crash",
  requirements: ["4/5"],
  async run(t) {
    t.accepted(await t.api.models(), "listing models");
    const name = t.random.text(8);
    const requests = [
      ["GET", `/v1/${name}`],
      ["POST", `/v1/${name}`],
      ["GET", `/v1/models/${t.model().id}/${name}`],
      ["GET", `/v1/account/${name}`],
      ["POST", `/v1/chat/${name}`],
      ["GET", `/v1/jobs/job_${name}/${name}`],
      ["POST", `/v1/jobs/job_${name}/${name}`],
      ["DELETE", `/v1/jobs/job_${name}`],
      ["GET", "/v1/chat/completions"],
      ["POST", "/v1/jobs"],
      ["PUT", "/v1/account"],
      ["DELETE", "/v1/account"],
      ["PATCH", `/v1/webhooks/wh_${name}`],
      ["DELETE", "/v1/models"],
    ] as const;
    for (const [method, path] of requests) {
      const body = method === "POST" || method === "PUT" || method === "PATCH" ? { json: { model: t.model().id } } : {};
      const exchange = answered(t, await t.api.raw({ method, path, cost: 0, ...body }));
      t.check("4/5", exchange.status >= 400 && exchange.status < 500 && isErrorObject(exchange), {
        title: "a made-up path or method is not answered with an error object",
        expected: "a 4xx with an error object",
        seen: `${method} ${path}: ${told(exchange)}`,
      });
    }
  },
});

export const section4 = [json, reading, madeUp];
