import { describe, expect, it } from "vitest";
import { stream } from "../core/index.ts";
import { countPromptTokens, countTokens, planText } from "./text.ts";

const draw = (name: string) => stream(1, name, "text");

describe("countTokens", () => {
  it.each([
    ["", 0],
    [" \n\t", 0],
    ["word", 1],
    ["eight_88", 1],
    ["ninechars", 2],
    ["Hello, world!", 4],
    ["東京 мир", 2],
    ["x".repeat(80), 10],
  ])("counts %j as %i", (text, tokens) => expect(countTokens(text)).toBe(tokens));

  it("counts a token for the role of each message", () => {
    expect(countPromptTokens([{ content: "one two" }, { content: "" }])).toBe(4);
  });
});

describe("planText", () => {
  it("says as many tokens as it is told, counted as prompts are", () => {
    for (let length = 1; length <= 200; length++) {
      const plan = planText(draw(`length ${length}`), length, -1, []);
      expect(plan.ends).toHaveLength(length);
      expect(countTokens(plan.text)).toBe(length);
      expect(plan.ends.at(-1)).toBe(plan.text.length);
      expect(plan.finishReason).toBe("stop");
    }
  });

  it("is cut by a bound below its length, and by none that it does not reach", () => {
    expect(planText(draw("a"), 20, 5, [])).toMatchObject({ ends: { length: 5 }, finishReason: "length" });
    expect(planText(draw("a"), 5, 5, []).finishReason).toBe("stop");
    expect(planText(draw("a"), 5, 6, []).ends).toHaveLength(5);
  });

  it("ends before the first stop sequence that appears, which is not shown", () => {
    const whole = planText(draw("b"), 60, -1, []).text;
    const stop = whole.slice(40, 44);
    const plan = planText(draw("b"), 60, -1, ["never in it", stop, whole.slice(50, 54)]);
    expect(plan.text).toBe(whole.slice(0, whole.indexOf(stop)));
    expect(plan.ends.at(-1)).toBe(plan.text.length);
    expect(plan.finishReason).toBe("stop");
    expect(planText(draw("b"), 60, -1, [whole.slice(0, 3)])).toEqual({ text: "", ends: [], finishReason: "stop" });
    expect(planText(draw("b"), 60, -1, [""]).text).toBe(whole);
  });

  it("ends in a newline now and then, and holds letters beyond ASCII", () => {
    const texts = Array.from({ length: 40 }, (_, i) => planText(draw(`c ${i}`), 30, -1, []).text);
    expect(texts.filter((text) => text.endsWith("\n")).length).toBeGreaterThan(3);
    expect(texts.filter((text) => [...text].some((letter) => letter > "\u007f")).length).toBeGreaterThan(20);
  });
});
