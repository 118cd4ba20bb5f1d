import { describe, expect, it } from "vitest";
import { job, made } from "../checks/exchange.fixture.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { auditSettlements } from "./settlements.ts";

let count = 0;
const at = (exchange: Exchange, time: number): Exchange => ({ ...exchange, sentAt: time, headAt: time, endedAt: time });

/** A chat that is answered at once, and its job, read at these moments. */
function lived(...readings: readonly (readonly [seconds: number, status: string])[]): readonly Exchange[] {
  count += 1;
  const id = `job_${count}`;
  const json = { id: `chatcmpl-${id}`, choices: [{ index: 0, message: { role: "assistant", content: "Yes." } }] };
  return [
    at(made("POST /v1/chat/completions", { json }), 0),
    ...readings.map(([seconds, status]) =>
      at(made(`GET /v1/jobs/${id}`, { json: job({ id, status }) }), seconds * 1_000),
    ),
  ];
}

const others = (seconds = 5) => Array.from({ length: 12 }, () => lived([seconds, "settled"])).flat();
const failures = (log: readonly Exchange[]): number => auditSettlements(log, "service").length;

describe("the audit of settlements", () => {
  it("finds the one job among many that never settles", () => {
    expect(failures([...others(), ...lived([10, "settling"], [290, "settling"])])).toBe(1);
  });

  it("says nothing of a slow chain, of few jobs, and of jobs that were not waited for", () => {
    expect(failures([...others(), ...lived([10, "settling"])])).toBe(0);
    expect(failures([...others(), ...lived([290, "settling"], [300, "settled"])])).toBe(0);
    expect(failures(lived([290, "settling"]))).toBe(0);
    const slow = Array.from({ length: 12 }, () => lived([100, "settling"], [120, "settled"])).flat();
    expect(failures([...slow, ...lived([290, "settling"])])).toBe(0);
  });
});
