import { describe, expect, it } from "vitest";
import { made } from "../checks/exchange.fixture.ts";
import { type Attempt, makeAttempt } from "./attempt.ts";
import { judgeHungUp } from "./hung-up.ts";

const CHAT = "POST /v1/chat/completions";

let number = 0;
/** An attempt whose chats ended so, one after the other. */
function attempt(...endings: readonly ("answered" | "reset")[]): Attempt {
  const tried = makeAttempt("7.2/no-workers");
  for (const ending of endings) {
    number += 1;
    tried.saw({ ...made(CHAT, { status: ending === "reset" ? 0 : 200 }), ending, number });
  }
  return tried;
}

describe("connections that are closed with no answer", () => {
  it("are a fault where it is the same request each time, and others are answered", () => {
    const told = judgeHungUp([
      attempt("answered", "reset"),
      attempt("answered", "reset"),
      attempt("answered", "reset"),
    ]);
    expect(told).toMatchObject({ kind: "failed", requirement: "7/1" });
  });

  it("are none where they break now here, now there", () => {
    const attempts = [attempt("answered", "reset"), attempt("reset"), attempt("answered", "reset")];
    expect(judgeHungUp(attempts)).toBeNull();
  });

  it("are none where an attempt ended otherwise", () => {
    expect(judgeHungUp([attempt("answered", "reset"), attempt("answered", "answered")])).toBeNull();
  });

  it("are none where the service answers nothing any more", () => {
    expect(judgeHungUp([attempt("reset"), attempt("reset"), attempt("reset")])).toBeNull();
  });

  it("are none where the body is so large that it may not be read", () => {
    const large = (): Attempt => {
      const tried = attempt("answered");
      number += 1;
      const exchange = made(CHAT, { status: 0 });
      const body = new Uint8Array(100_000);
      tried.saw({ ...exchange, request: { ...exchange.request, body }, ending: "reset", number });
      return tried;
    };
    expect(judgeHungUp([large(), large(), large()])).toBeNull();
  });
});
