import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { honestRules, type Rules } from "../rules.ts";
import { Ledger, MONEY_PER_UNIT, type Totals } from "./ledger.ts";
import { REVERT, TX, type TxKind } from "./transaction.ts";

const WALLETS = 3;
const WORKERS = 3;
const JOBS = 5;

interface Command {
  readonly kind: TxKind;
  readonly subject: number;
  readonly party: number;
  readonly amount: number;
  readonly extra: number;
}

const kind = fc.constantFrom(...Object.values(TX));
const command: fc.Arbitrary<Command> = kind.chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    subject: fc.nat({ max: kind === TX.buy || kind === TX.withdraw ? WALLETS - 1 : JOBS - 1 }),
    party: fc.nat({ max: Math.max(WALLETS, WORKERS) - 1 }),
    amount: fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 3_000 })),
    extra: fc.nat({ max: 60 }),
  }),
);
const commands = fc.array(command, { maxLength: 120, size: "max" });

function apply(ledger: Ledger, { kind, subject, party, amount, extra }: Command): number {
  return ledger.apply(kind, subject, party, amount, extra);
}

function conserved(ledger: Ledger): void {
  const { totals } = ledger;
  expect(totals.available + totals.locked + totals.settled + totals.redeemed).toBe(totals.bought);
  expect(totals.active + totals.slashed + totals.unstaked).toBe(totals.staked);
  expect(totals.paid + totals.treasury).toBe(totals.settled * MONEY_PER_UNIT);
  const wallets = Array.from({ length: WALLETS }, (_, wallet) => wallet);
  const sum = (of: (index: number) => number, all: readonly number[]): number => all.reduce((n, i) => n + of(i), 0);
  expect(sum((wallet) => ledger.available(wallet), wallets)).toBe(totals.available);
  expect(sum((wallet) => ledger.locked(wallet), wallets)).toBe(totals.locked);
  for (const wallet of wallets) {
    expect(ledger.available(wallet)).toBeGreaterThanOrEqual(0);
    expect(ledger.locked(wallet)).toBeGreaterThanOrEqual(0);
  }
  for (let worker = 0; worker < JOBS; worker++) expect(ledger.stake(worker)).toBeGreaterThanOrEqual(0);
}

describe("ledger", () => {
  it("conserves units, money and stake after every command, with no balance below zero", () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        const ledger = new Ledger(honestRules);
        for (const each of sequence) {
          apply(ledger, each);
          conserved(ledger);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("changes nothing where it refuses", () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        const ledger = new Ledger(honestRules);
        for (const each of sequence) {
          const before: Totals = { ...ledger.totals };
          if (apply(ledger, each) !== REVERT.ok) expect(ledger.totals).toEqual(before);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("ends every lock at most once", () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        const ledger = new Ledger(honestRules);
        const held = new Set<number>();
        for (const each of sequence) {
          if (apply(ledger, each) !== REVERT.ok) continue;
          if (each.kind === TX.lock) {
            expect(held.has(each.subject)).toBe(false);
            held.add(each.subject);
          }
          if (each.kind === TX.settle || each.kind === TX.refund || each.kind === TX.giveBack) {
            expect(held.delete(each.subject)).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  /** A wallet with 200 units, a native worker 0 and a browser worker 1. */
  function funded(rules: Rules = honestRules): Ledger {
    const ledger = new Ledger(rules);
    ledger.apply(TX.buy, 0, 0, 200, 0);
    ledger.apply(TX.stake, 0, 1, 1_000, 0);
    ledger.apply(TX.stake, 1, 0, 0, 0);
    return ledger;
  }

  it.each([
    ["native", 0, 1_530, 270],
    ["browser", 1, 1_350, 450],
  ])("pays a %s worker its share to the hundredth of a unit", (_, worker, paid, fee) => {
    const ledger = funded();
    ledger.apply(TX.lock, 7, 0, 27, 1);
    ledger.apply(TX.proof, 7, worker, 0, 1);
    expect(ledger.apply(TX.settle, 7, worker, 18, 9)).toBe(REVERT.ok);
    expect([ledger.lastPaid, ledger.lastFee]).toEqual([paid, fee]);
    expect(ledger.available(0)).toBe(182);
  });

  it("refuses payment without proof, and a second one", () => {
    const ledger = funded();
    ledger.apply(TX.lock, 7, 0, 8, 1);
    expect(ledger.apply(TX.settle, 7, 0, 8, 0)).toBe(REVERT.notProven);
    ledger.apply(TX.proof, 7, 0, 0, 1);
    expect(ledger.apply(TX.settle, 7, 0, 8, 0)).toBe(REVERT.ok);
    expect(ledger.apply(TX.settle, 7, 0, 8, 0)).toBe(REVERT.lockNotHeld);
    expect(ledger.apply(TX.refund, 7, 0, 8, 0)).toBe(REVERT.lockNotHeld);
  });

  it("lets nobody redeem what is locked, buy too little or stake too little", () => {
    const ledger = funded();
    ledger.apply(TX.lock, 7, 0, 150, 1);
    expect(ledger.apply(TX.withdraw, 0, 0, 51, 0)).toBe(REVERT.insufficient);
    expect(ledger.apply(TX.withdraw, 0, 0, 50, 0)).toBe(REVERT.ok);
    expect(ledger.apply(TX.buy, 0, 0, 99, 0)).toBe(REVERT.belowMinimum);
    expect(ledger.apply(TX.stake, 2, 1, 999, 0)).toBe(REVERT.belowMinimum);
  });
});
