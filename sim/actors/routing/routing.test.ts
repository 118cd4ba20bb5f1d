import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stream } from "../../core/index.ts";
import { type Candidate, type PolicyName, policies, type RoutingPolicy } from "./index.ts";
import { WeightedDraw } from "./weighted.ts";

interface Fake extends Candidate {
  busy: number;
  stake: number;
}

const worker = (id: number, changes: Partial<Fake> = {}): Fake => ({
  id,
  kind: "native",
  busy: 0,
  slots: 4,
  stake: 1_000,
  firstToken: 200_000,
  tokenTime: 20_000,
  ...changes,
});

const NAMES = Object.keys(policies) as PolicyName[];
const make = (name: PolicyName): RoutingPolicy => policies[name](stream(1, name, "choices"));

/** How often each of the workers is chosen, all of them staying free. */
function shares(policy: RoutingPolicy, workers: readonly Candidate[], choices = 20_000): number[] {
  const counts = workers.map(() => 0);
  for (const each of workers) policy.add(each);
  for (let i = 0; i < choices; i++) counts[policy.choose()]!++;
  return counts.map((count) => count / choices);
}

describe.each(NAMES)("%s", (name) => {
  it("chooses nobody where nobody is free, and only who is", () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 3 })), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (moves) => {
        const policy = make(name);
        const workers = Array.from({ length: 100 }, (_, id) => worker(id, { slots: 1 + (id % 5), stake: id * 10 }));
        const free = new Set<number>();
        for (const [id, what] of moves) {
          const each = workers[id]!;
          if (what === 0 && free.delete(id)) policy.remove(each);
          else if (what === 1 && free.has(id)) {
            each.busy = (each.busy + 1) % each.slots;
            policy.changed?.(each);
          } else if (what === 2) policy.ended?.(each, id % 7 === 0 ? "dropped" : "finished", id * 1_000, id);
          else if (!free.has(id)) {
            free.add(id);
            policy.add(each);
          }
          const chosen = policy.choose();
          if (free.size === 0) expect(chosen).toBe(-1);
          else expect(free).toContain(chosen);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("leaves nobody out among equals", () => {
    const equals = Array.from({ length: 10 }, (_, id) => worker(id));
    for (const share of shares(make(name), equals)) expect(share).toBeCloseTo(0.1, 1);
  });
});

describe("what policies prefer", () => {
  it("least-loaded: the smallest share of slots taken, whatever changes", () => {
    const workers = [worker(0, { busy: 3 }), worker(1, { busy: 5, slots: 10 }), worker(2, { busy: 3, slots: 5 })];
    const policy = make("least-loaded");
    for (const each of workers) policy.add(each);
    expect(policy.choose()).toBe(1);
    workers[0]!.busy = 1;
    policy.changed!(workers[0]!);
    expect(policy.choose()).toBe(0);
    policy.remove(workers[0]!);
    expect(policy.choose()).toBe(1);
  });

  it("power-of-two: the idle one of two halves is chosen unless both draws hit busy ones", () => {
    const workers = Array.from({ length: 10 }, (_, id) => worker(id, { busy: id < 5 ? 1 : 0 }));
    const idle = shares(make("power-of-two"), workers)
      .slice(5)
      .reduce((sum, share) => sum + share, 0);
    // Both of two different ones are busy 5/10 * 4/9 of the time.
    expect(idle).toBeCloseTo(1 - 2 / 9, 1);
    expect(Math.abs(idle - 7 / 9)).toBeLessThan(4 * Math.sqrt((7 / 81) * 2 * (1 / 20_000)));
  });

  it("stake-weighted: in proportion to stakes, also after a slash", () => {
    const workers = [worker(0, { stake: 1_000 }), worker(1, { stake: 3_000 }), worker(2, { stake: 6_000 })];
    const policy = make("stake-weighted");
    for (const [id, share] of shares(policy, workers).entries()) expect(share).toBeCloseTo([0.1, 0.3, 0.6][id]!, 1);
    workers[2]!.stake = 0;
    policy.changed!(workers[2]!);
    const after = Array.from({ length: 4_000 }, () => policy.choose()).filter((id) => id === 1).length / 4_000;
    expect(Math.abs(after - 3_000 / 4_001)).toBeLessThan(0.03);
  });

  it("fastest: what it has seen goes before what the class says", () => {
    const [quick, slow] = [worker(0, { tokenTime: 10_000 }), worker(1, { tokenTime: 30_000 })];
    const policy = make("fastest");
    policy.add(quick);
    policy.add(slow);
    expect(policy.choose()).toBe(0);
    for (let i = 0; i < 20; i++) policy.ended!(quick, "finished", 100 * 50_000, 100);
    expect(policy.choose()).toBe(1);
    policy.ended!(slow, "dropped", 1_000, 0);
    expect(policy.choose()).toBe(0);
  });

  it("reputation: half the name gets a quarter of the work, and who was caught hardly any", () => {
    const workers = [worker(0), worker(1), worker(2)];
    const policy = make("reputation");
    for (let i = 0; i < 400; i++) policy.ended!(workers[0]!, "finished", 1, 1);
    for (let i = 0; i < 400; i++) policy.ended!(workers[1]!, i % 5 === 0 ? "timed-out" : "finished", 1, 1);
    for (let i = 0; i < 5; i++) policy.ended!(workers[2]!, "cheated", 1, 1);
    const [good, half, bad] = shares(policy, workers);
    expect(half! / good!).toBeCloseTo(0.25, 1);
    expect(bad!).toBeLessThan(0.001);
  });
});

it("draws by weight as a list would", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 50 })), { maxLength: 60 }),
      fc.nat(),
      (sets, seed) => {
        const tree = new WeightedDraw();
        const weights: number[] = [];
        for (const [id, weight] of sets) {
          tree.set(id, weight);
          weights[id] = weight;
        }
        const total = weights.reduce((sum, weight) => sum + (weight ?? 0), 0);
        const drawn = tree.draw(stream(seed, "a", "b"));
        if (total === 0) expect(drawn).toBe(-1);
        else {
          let rest = stream(seed, "a", "b").below(total);
          let id = 0;
          while (rest >= (weights[id] ?? 0)) rest -= weights[id++] ?? 0;
          expect(drawn).toBe(id);
        }
      },
    ),
  );
});
