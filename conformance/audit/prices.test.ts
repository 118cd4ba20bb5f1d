import { describe, expect, it } from "vitest";
import { job, made } from "../checks/exchange.fixture.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { auditPrices } from "./prices.ts";

const models = made("GET /v1/models", {
  json: {
    data: [
      { id: "small", service: { credits_per_request: 2, credits_per_1k_tokens: 1 } },
      { id: "large", service: { credits_per_request: 40, credits_per_1k_tokens: 20 } },
    ],
  },
});

let count = 0;
/** A chat with `max_tokens` or without, and its settled job that is read: so many tokens, so many units. */
function asked(model: string, tokens: number, units: number, most?: number): readonly Exchange[] {
  const read = charged(model, tokens, units);
  const chat = made("POST /v1/chat/completions", {
    body: { model, ...(most === undefined ? {} : { max_tokens: most }) },
    json: { id: `chatcmpl-job_${count}`, choices: [{ message: { content: "text" } }] },
  });
  return [chat, read];
}

/** A settled job that is read: so many tokens, so many units. */
function charged(model: string, tokens: number, units: number): Exchange {
  count += 1;
  const usage = { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 };
  return made(`GET /v1/jobs/job_${count}`, { json: job({ id: `job_${count}`, model, usage, credits_charged: units }) });
}

const failures = (...log: readonly Exchange[]): readonly string[] =>
  auditPrices([models, ...log], "service").flatMap((each) => (each.kind === "failed" ? [each.requirement] : []));

describe("the audit of prices", () => {
  it("accepts each reading of the price, with any edge from 450 to 550", () => {
    // Flat and each started 1,000 beyond 500; each started 1,000 of all; all pro rata, rounded up.
    expect(failures(charged("small", 400, 2), charged("small", 1_501, 4), charged("large", 2_500, 80))).toEqual([]);
    expect(failures(charged("small", 400, 2), charged("small", 1_501, 2), charged("large", 2_500, 60))).toEqual([]);
    expect(failures(charged("small", 400, 2), charged("small", 1_501, 2), charged("large", 2_510, 51))).toEqual([]);
    expect(failures(charged("large", 455, 60), charged("large", 450, 40))).toEqual([]);
  });

  it("finds a short completion that costs more or less than its flat price", () => {
    expect(failures(charged("small", 450, 3))).toEqual(["4.1/41"]);
    expect(failures(charged("large", 1, 20))).toEqual(["4.1/41"]);
  });

  it("finds a charge that no reading gives", () => {
    expect(failures(...asked("small", 1_501, 9, 1_600))).toEqual(["4.1/42", "4.1/44"]);
    expect(failures(...asked("small", 1_501, 9))).toEqual(["4.1/42", "4.1/44"]);
  });

  it("finds two charges that no one reading gives", () => {
    expect(failures(...asked("large", 1_400, 60, 2_000), ...asked("large", 2_400, 60, 2_400))).toEqual(["4.1/44"]);
  });

  it("lets a request without `max_tokens` pay no more than one estimate, the same for all", () => {
    const long = asked("large", 2_400, 80, 2_400);
    expect(failures(...long, ...asked("large", 1_400, 40), ...asked("large", 2_400, 40))).toEqual([]);
    expect(failures(...long, ...asked("large", 1_400, 60), ...asked("large", 2_400, 60))).toEqual([]);
    expect(failures(...long, ...asked("large", 1_400, 40), ...asked("large", 2_400, 60))).toEqual(["4.1/44"]);
    expect(failures(...long, ...asked("large", 1_400, 80))).toEqual(["4.1/42", "4.1/44"]);
  });

  it("says nothing where there is nothing to say: no price, no settlement, no usage", () => {
    expect(auditPrices([charged("small", 400, 9)], "service")).toEqual([]);
    expect(failures(made("GET /v1/jobs/job_x", { json: job({ status: "disputed", credits_charged: 9 }) }))).toEqual([]);
    expect(failures(made("GET /v1/jobs/job_x", { json: job({ usage: null, credits_charged: 9 }) }))).toEqual([]);
  });
});
