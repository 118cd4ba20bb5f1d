import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { palette, wantsColour } from "./palette.ts";
import { cut, labelled, lengthOf, tableOf } from "./plain-table.ts";
import { progressLine, timeText } from "./progress.ts";
import { studyOf } from "./study/study.fixture.ts";
import { renderStudy } from "./study-console.ts";

const plain = palette(false);

describe("tableOf", () => {
  const cell = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,8}$/);
  const rows = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,6}$/), cell), { minLength: 1, maxLength: 8 });

  it("never passes the width, and loses no word", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 30, max: 90 }), (table, width) => {
        const text = tableOf(table, width);
        for (const line of text.split("\n")) expect(lengthOf(line)).toBeLessThanOrEqual(width);
        expect(text.split(/\s+/).filter(Boolean)).toEqual(table.flatMap((row) => row.join(" ").split(" ")));
      }),
    );
  });

  it("lets each row be a line where there is no terminal", () => {
    fc.assert(
      fc.property(rows, (table) => {
        expect(tableOf(table).split("\n")).toHaveLength(table.length);
      }),
    );
  });

  it("does not count colours", () => {
    const { bad } = palette(true);
    const [first, second] = tableOf([
      [bad("ab"), "x"],
      ["abcd", "x"],
    ]).split("\n");
    expect(lengthOf(first!)).toBe(lengthOf(second!));
  });

  it("cuts what is too long, and says so", () => {
    expect(cut("abcdef", 4)).toBe("abc…");
    expect(cut("abcd", 4)).toBe("abcd");
  });
});

describe("labelled", () => {
  it("keeps to the width, loses no word, and stands beneath its text", () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9,]{1,12}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 40, max: 100 }), (text, width) => {
        const lines = labelled(`units       ${text.join(" ")}`, 12, width).split("\n");
        for (const line of lines) expect(lengthOf(line)).toBeLessThanOrEqual(width);
        expect(lines.map((line) => line.slice(12)).join(" ")).toBe(text.join(" "));
        for (const line of lines.slice(1)) expect(line).toMatch(/^ {12}\S/);
      }),
    );
  });

  it("leaves a line whole where there is no terminal", () => {
    const line = `units       ${"many words ".repeat(40)}`;
    expect(labelled(line, 12)).toBe(line);
  });
});

describe("renderStudy", () => {
  const { study, summaries } = studyOf((rate, slash) => rate * slash);
  const names = ["party.junk.perCheat", "jobs.refundedShare", "sojourn.p95"];
  const wide = { ...study, name: "fraud", metrics: names };
  const points = summaries.map((each) => ({
    ...each,
    intervals: Object.fromEntries(names.map((name) => [name, each.intervals["party.junk.perCheat"]!])),
  }));

  it("keeps to the terminal with as many tables as that takes, and loses no figure", () => {
    const cells = (text: string): number => text.match(/ ± /g)?.length ?? 0;
    const whole = renderStudy(wide, points, plain);
    for (const width of [120, 80, 50, 40]) {
      const text = renderStudy(wide, points, plain, width);
      const table = text.split("\n").slice(3);
      for (const line of table) expect(lengthOf(line)).toBeLessThanOrEqual(width);
      expect(cells(text)).toBe(cells(whole));
    }
    expect(whole.split("\n").filter((line) => line.startsWith("point"))).toHaveLength(1);
  });
});

describe("progressLine", () => {
  function told(live: boolean, steps: readonly (readonly [at: number, done: number])[], total?: number): string[] {
    const written: string[] = [];
    let time = 0;
    const stream = { write: (text: string) => written.push(text), isTTY: live, columns: 60 };
    const line = progressLine(stream, { unit: "cases", total, colours: plain, now: () => time });
    for (const [at, done] of steps) {
      time = at;
      line.tell(done, "4.7/window");
    }
    line.above("4.7/late failed\n");
    line.end();
    return written;
  }

  it("tells count, rate and time left on a line that is rewritten", () => {
    expect(told(true, [[10_000, 50]], 100)).toEqual([
      "\r[##########          ] 50/100 cases  5.0/s  10 s left  4.7…\u001b[K",
      "\r\u001b[K4.7/late failed\n",
      "\r[##########          ] 50/100 cases  5.0/s  10 s left  4.7…\u001b[K",
      "\r\u001b[K",
    ]);
  });

  it("writes plain lines without a terminal, one in ten seconds", () => {
    const steps = Array.from({ length: 25 }, (_, second) => [second * 1_000, second * 300] as const);
    expect(told(false, steps)).toEqual([
      "3,000 cases  300/s  4.7/window\n",
      "6,000 cases  300/s  4.7/window\n",
      "4.7/late failed\n",
    ]);
  });

  it("says nothing of pace before it knows", () => {
    expect(told(true, [[200, 1]], 4)[0]).toBe("\r[#####               ] 1/4 cases  4.7/window\u001b[K");
  });

  it("tells times as one says them", () => {
    expect([0.2, 59, 200, 7_500].map(timeText)).toEqual(["1 s", "59 s", "3 min 20 s", "2 h 5 min"]);
  });
});

describe("wantsColour", () => {
  it("asks the terminal, and the environment first", () => {
    const terminal = { isTTY: true };
    expect(wantsColour(terminal, {})).toBe(true);
    expect(wantsColour({}, {})).toBe(false);
    expect(wantsColour(terminal, { NO_COLOR: "1" })).toBe(false);
    expect(wantsColour(terminal, { TERM: "dumb" })).toBe(false);
    expect(wantsColour({}, { FORCE_COLOR: "1" })).toBe(true);
    expect(wantsColour(terminal, { FORCE_COLOR: "0" })).toBe(false);
    expect(wantsColour({}, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
  });
});
