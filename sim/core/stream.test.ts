import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AssayError, ln, type Stream, stream } from "./index.ts";

const N = 200_000;

/** Mean and variance of N draws. */
function moments(draw: () => number): { mean: number; variance: number } {
  let mean = 0;
  let squares = 0;
  for (let n = 1; n <= N; n++) {
    const x = draw();
    const delta = x - mean;
    mean += delta / n;
    squares += delta * (x - mean);
  }
  return { mean, variance: squares / (N - 1) };
}

const first = (dice: Stream): number[] => Array.from({ length: 4 }, () => dice.uint32());

describe("names", () => {
  it("gives these numbers, on every machine", () => {
    const dice = stream(42, "client 7", "arrivals");
    expect({
      uint32: first(dice),
      float: dice.float(),
      below: [dice.below(6), dice.below(2 ** 40)],
      exponential: [dice.exponential(1_000_000), dice.standardExponential()],
      normal: dice.normal(),
      lognormal: dice.lognormal(1, 0.5),
      gamma: [dice.gamma(2.5, 10), dice.gamma(0.5, 10)],
      weibull: dice.weibull(1.5, 10),
      shuffle: dice.shuffle([1, 2, 3, 4, 5]),
    }).toMatchInlineSnapshot(`
      {
        "below": [
          4,
          770724969908,
        ],
        "exponential": [
          133372,
          1.6883500991330909,
        ],
        "float": 0.8066936682620596,
        "gamma": [
          15.883825648154613,
          14.583861854699874,
        ],
        "lognormal": 3.6141481919072938,
        "normal": -0.558166810192994,
        "shuffle": [
          3,
          1,
          2,
          4,
          5,
        ],
        "uint32": [
          1383543346,
          1848986323,
          3934601641,
          2844606042,
        ],
        "weibull": 32.937182388608065,
      }
    `);
  });

  it("takes 1 and '1' for one seed, and every other difference for a difference", () => {
    expect(first(stream(1, "a", "b"))).toEqual(first(stream("1", "a", "b")));
    const names = [
      [1, "a", "b"],
      [2, "a", "b"],
      [1, "ab", ""],
      [1, "", "ab"],
      [1, "b", "a"],
      [1, 'a","', "b"],
    ] as const;
    const starts = names.map(([seed, entity, purpose]) => first(stream(seed, entity, purpose)).join());
    expect(new Set(starts).size).toBe(names.length);
  });

  it("keeps each stream's draws, whoever else draws and in whatever order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat(9)),
        (names, turns) => {
          const alone = stream(7, names[0]!, "service");
          const crowd = names.map((name) => stream(7, name, "service"));
          for (let draws = 0; draws < 5; ) {
            const turn = turns.next().value % crowd.length;
            const draw = crowd[turn]!.uint32();
            if (turn === 0) {
              expect(draw).toBe(alone.uint32());
              draws++;
            }
          }
        },
      ),
      { seed: 1 },
    );
  });
});

describe("integers and shares", () => {
  it("below(n) stays below n and reaches every value", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (n) => {
        const draw = stream(n, "die", "range").below(n);
        expect(Number.isSafeInteger(draw) && draw >= 0 && draw < n).toBe(true);
      }),
      { seed: 1 },
    );
    const dice = stream(1, "die", "faces");
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < N; i++) counts[dice.below(6)]!++;
    // Chi-square with 5 degrees of freedom: 20.5 is passed once in a thousand.
    expect(counts.reduce((sum, count) => sum + (count - N / 6) ** 2 / (N / 6), 0)).toBeLessThan(20.5);
  });

  it("below(n) is level beyond 32 bits as well", () => {
    const n = 3 * 2 ** 40;
    const dice = stream(1, "die", "wide");
    const { mean, variance } = moments(() => dice.below(n) / n);
    expect(mean).toBeCloseTo(1 / 2, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53 + 2])("below(%d) is refused", (n) => {
    expect(() => stream(1, "a", "b").below(n)).toThrow(AssayError);
  });

  it("chance(n, d) is true n times in d", () => {
    const dice = stream(1, "coin", "toss");
    expect(dice.chance(0, 5)).toBe(false);
    expect(dice.chance(5, 5)).toBe(true);
    expect(moments(() => Number(dice.chance(3, 10))).mean).toBeCloseTo(0.3, 2);
  });

  it("pick and shuffle give each item its share", () => {
    const dice = stream(1, "cards", "deal");
    expect(moments(() => dice.pick([0, 1, 2])).mean).toBeCloseTo(1, 1);
    expect(moments(() => dice.shuffle([0, 1, 2])[2]!).mean).toBeCloseTo(1, 1);
    expect(() => dice.pick([])).toThrow(AssayError);
  });
});

/** Draws of one seed, with the mean and the variance of the distribution. */
const laws: readonly (readonly [name: string, draw: (dice: Stream) => number, mean: number, variance: number])[] = [
  ["float", (dice) => dice.float(), 1 / 2, 1 / 12],
  ["exponential", (dice) => dice.exponential(5_000), 5_000, 5_000 ** 2],
  ["standard exponential", (dice) => dice.standardExponential(), 1, 1],
  ["normal", (dice) => dice.normal(), 0, 1],
  ["lognormal", (dice) => dice.lognormal(0, 0.5), Math.exp(0.125), (Math.exp(0.25) - 1) * Math.exp(0.25)],
  ["gamma, shape 2.5", (dice) => dice.gamma(2.5, 2), 5, 10],
  ["gamma, shape 0.5", (dice) => dice.gamma(0.5, 2), 1, 2],
  ["weibull, shape 2", (dice) => dice.weibull(2, 1), Math.sqrt(Math.PI) / 2, 1 - Math.PI / 4],
];

describe("distributions", () => {
  it.each(laws)("%s has its mean and variance", (_, draw, mean, variance) => {
    const dice = stream(1, "law", "moments");
    const seen = moments(() => draw(dice));
    // Five standard errors; that of a variance is generous for the heavier tails.
    expect(Math.abs(seen.mean - mean)).toBeLessThan(5 * Math.sqrt(variance / N));
    expect(Math.abs(seen.variance / variance - 1)).toBeLessThan(5 * Math.sqrt(15 / N));
  });

  it("the exponential has its whole shape: the Kolmogorov-Smirnov distance is small", () => {
    const dice = stream(1, "law", "shape");
    const draws = Float64Array.from({ length: N }, () => dice.standardExponential()).sort();
    const distance = draws.reduce((worst, x, i) => Math.max(worst, Math.abs(1 - Math.exp(-x) - (i + 0.5) / N)), 0);
    // 1.95 / sqrt(N) is passed once in a thousand.
    expect(distance).toBeLessThan(1.95 / Math.sqrt(N));
  });

  it("the normal has its whole shape, tail included", () => {
    const dice = stream(1, "law", "bell");
    const beyond = (limit: number, share: number): void => {
      const count = Array.from({ length: N }, () => Number(Math.abs(dice.normal()) > limit)).reduce((a, b) => a + b);
      expect(Math.abs(count - N * share)).toBeLessThan(4 * Math.sqrt(N * share));
    };
    beyond(1, 0.31731050786);
    beyond(2, 0.0455002639);
    beyond(3, 0.00269979606);
    beyond(3.7, 0.00021561);
  });

  it("the exponential's tail begins where the table ends, and goes on", () => {
    const dice = stream(1, "law", "tail");
    let beyond = 0;
    for (let i = 0; i < 20 * N; i++) if (dice.standardExponential() > 8) beyond++;
    expect(Math.abs(beyond / (20 * N * Math.exp(-8)) - 1)).toBeLessThan(0.15);
  });

  it("gives integers where it says so", () => {
    const dice = stream(1, "law", "integers");
    for (let i = 0; i < 1_000; i++) expect(Number.isSafeInteger(dice.exponential(10))).toBe(true);
    expect(dice.exponential(0)).toBe(0);
    expect(ln(dice.lognormal(3, 0))).toBeCloseTo(3, 12);
  });
});
