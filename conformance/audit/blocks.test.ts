import { describe, expect, it } from "vitest";
import { job, made } from "../checks/exchange.fixture.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { auditBlocks } from "./blocks.ts";

const at = (exchange: Exchange, time: number): Exchange => ({ ...exchange, sentAt: time, headAt: time, endedAt: time });

/** A chat sent at a time, and its job, read settled in a block a second later. */
function settled(id: string, sent: number, block: number, status = "settled"): readonly Exchange[] {
  const json = { id: `chatcmpl-${id}`, choices: [{ index: 0, message: { role: "assistant", content: "Yes." } }] };
  const plain = job({ id, status });
  const chain = { ...(plain.on_chain as object), block_number: block };
  return [
    at(made("POST /v1/chat/completions", { json }), sent),
    at(made(`GET /v1/jobs/${id}`, { json: { ...plain, on_chain: chain } }), sent + 1_000),
  ];
}

const failures = (...log: readonly (readonly Exchange[])[]): number => auditBlocks(log.flat(), "service").length;

describe("the audit of blocks", () => {
  it("finds a settlement in a block before one that its request came after", () => {
    expect(failures(settled("job_1", 0, 150), settled("job_2", 2_000, 49))).toBe(1);
  });

  it("says nothing of jobs side by side, of blocks that go on or that a chain took back, and of jobs that have not settled", () => {
    expect(failures(settled("job_1", 0, 150), settled("job_2", 500, 49))).toBe(0);
    expect(failures(settled("job_1", 0, 150), settled("job_2", 2_000, 149))).toBe(0);
    expect(failures(settled("job_1", 0, 50), settled("job_2", 2_000, 50), settled("job_3", 4_000, 51))).toBe(0);
    expect(failures(settled("job_1", 0, 150), settled("job_2", 2_000, 1, "disputed"))).toBe(0);
  });
});
