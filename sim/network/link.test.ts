import { describe, expect, it } from "vitest";
import { AssayError, MILLISECOND, SECOND } from "../core/index.ts";
import { Link, type LinkSpec } from "./index.ts";

const N = 20_000;

function delays(spec: LinkSpec, seed = 1): number[] {
  const link = new Link(spec, seed, "client 1 to gateway");
  return Array.from({ length: N }, (_, i) => link.delay(i * SECOND));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("delay", () => {
  it("is the constant, or drawn, in integers; jitter is added", () => {
    expect(new Set(delays({ delay: "20ms" }))).toEqual(new Set([20 * MILLISECOND]));
    const jittered = delays({ delay: "20ms", jitter: "exponential(mean=5ms)" });
    expect(jittered.every((delay) => Number.isSafeInteger(delay) && delay >= 20_000)).toBe(true);
    expect(Math.abs(mean(jittered) / 25_000 - 1)).toBeLessThan(0.02);
    expect(new Link({ delay: "20ms", jitter: "exponential(mean=5ms)" }, 1, "a").meanDelay).toBe(25_000);
  });

  it("depends on seed and name alone", () => {
    const spec: LinkSpec = { delay: "exponential(mean=5ms)" };
    expect(delays(spec)).toEqual(delays(spec));
    expect(delays(spec)).not.toEqual(delays(spec, 2));
  });

  it("is not moved by troubles that are turned on, but for those messages that they hit", () => {
    const calm = delays({ delay: "exponential(mean=5ms)" });
    const stormy = delays({ delay: "exponential(mean=5ms)", loss: 0.1, duplication: 0.5, resendAfter: "1s" });
    const spared = stormy.filter((delay, i) => delay === calm[i]).length;
    expect(spared / N).toBeCloseTo(0.9, 2);
  });
});

describe("loss", () => {
  it("costs a resend, and twice the wait with each further loss", () => {
    const counts = new Map<number, number>();
    for (const delay of delays({ delay: "1ms", loss: 0.5, resendAfter: "10ms" })) {
      counts.set(delay, (counts.get(delay) ?? 0) + 1);
    }
    for (const [losses, delay] of [1_000, 11_000, 31_000, 71_000].entries()) {
      expect((counts.get(delay) ?? 0) / N).toBeCloseTo(0.5 ** (losses + 1), 1);
    }
  });

  it.each([-0.1, 1, Number.NaN])("is refused at %d", (loss) => {
    expect(() => new Link({ delay: 1, loss }, 1, "a", "links[0]")).toThrow(AssayError);
    expect(() => new Link({ delay: 1, loss }, 1, "a", "links[0]")).toThrow("links[0].loss");
  });
});

describe("duplication", () => {
  it("gives as many messages a second copy as it says", () => {
    const link = new Link({ delay: "1ms", duplication: 0.25 }, 1, "a");
    const copies = Array.from({ length: N }, () => link.duplicate(0));
    expect(copies.filter((delay) => delay !== -1).length / N).toBeCloseTo(0.25, 2);
    expect(new Set(copies)).toEqual(new Set([-1, 1_000]));
  });

  it("is off unless told", () => {
    expect(new Link({ delay: 1 }, 1, "a").duplicate(0)).toBe(-1);
  });
});

describe("partition", () => {
  it("holds what is sent while it lasts, until it is healed", () => {
    const link = new Link({ delay: 10 }, 1, "a");
    link.partition(100, 200);
    expect([99, 100, 150, 199, 200].map((now) => now + link.delay(now))).toEqual([109, 210, 210, 210, 210]);
  });

  it("counts for as long as one of several that overlap lasts, in whatever order they were told", () => {
    const link = new Link({ delay: 10 }, 1, "a");
    link.partition(180, 300);
    link.partition(100, 200);
    link.partition(110, 120);
    link.partition(301, 400);
    expect(150 + link.delay(150)).toBe(310);
    expect(() => link.partition(5, 5)).toThrow(AssayError);
  });

  it("holds resends and second copies as well", () => {
    const link = new Link({ delay: 1, loss: 0.99, duplication: 1, resendAfter: 10 }, 1, "a");
    link.partition(5, 1_000);
    expect(link.delay(0)).toBeGreaterThan(1_000);
    expect(link.duplicate(500)).toBeGreaterThan(500);
  });
});

describe("bandwidth", () => {
  it("sends bytes one after the other, and leaves messages without a size alone where there is none", () => {
    const link = new Link({ delay: 1_000, bandwidth: 1_000_000 }, 1, "a");
    expect(link.delay(0, 500)).toBe(1_500);
    expect(link.delay(0, 500)).toBe(2_000);
    expect(link.delay(10_000, 500)).toBe(1_500);
    expect(new Link({ delay: 1_000 }, 1, "a").delay(0, 500)).toBe(1_000);
  });
});

describe("clog", () => {
  it("multiplies the time under way of what leaves meanwhile", () => {
    const link = new Link({ delay: 10 }, 1, "a");
    link.clog(100, 200, 5);
    link.clog(150, 160, 2);
    expect([99, 100, 155, 199, 200].map((now) => link.delay(now))).toEqual([10, 50, 100, 50, 10]);
  });
});

it("keeps the order of messages where it is told to", () => {
  const arrivals = (ordered: boolean): number[] => {
    const link = new Link({ delay: "exponential(mean=50ms)", ordered }, 1, "a");
    return Array.from({ length: 200 }, (_, i) => i * 1_000 + link.delay(i * 1_000));
  };
  const sorted = (values: readonly number[]): boolean => values.every((value, i) => i === 0 || value >= values[i - 1]!);
  expect(sorted(arrivals(true))).toBe(true);
  expect(sorted(arrivals(false))).toBe(false);
});
