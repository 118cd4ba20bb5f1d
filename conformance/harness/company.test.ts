import { describe, expect, it } from "vitest";
import { makeBudget } from "./budget.ts";
import { makeCompany } from "./company.ts";

/** A case under way, ended by the test. */
function held(): { readonly work: () => Promise<void>; readonly end: () => void; readonly began: () => boolean } {
  let end = (): void => {};
  let began = false;
  const work = (): Promise<void> => {
    began = true;
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  return { work, end: () => end(), began: () => began };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("cases beside each other", () => {
  it("begin while the budget bears them, and wait while only those under way could give something back", async () => {
    const budget = makeBudget(10, new Map([["key", 100]]));
    const company = makeCompany(budget, () => Promise.resolve());
    const [first, second, third] = [held(), held(), held()];
    const running = [company.admit(8, first.work)];
    budget.reserve("key", 8);
    running.push(company.admit(2, second.work), company.admit(4, third.work));
    await turn();
    expect([first, second, third].map(({ began }) => began())).toEqual([true, true, false]);
    // Two units were spent of the eight.
    budget.settle("key", 98);
    first.end();
    await turn();
    expect(third.began()).toBe(true);
    second.end();
    third.end();
    await Promise.all(running);
  });

  it("let a case try that can never be paid for, once nothing more can come back", async () => {
    const company = makeCompany(makeBudget(1, new Map()), () => Promise.resolve());
    const only = held();
    const running = company.admit(5, only.work);
    await turn();
    expect(only.began()).toBe(true);
    only.end();
    await running;
  });

  it("have their balances read by the last of them", async () => {
    let reads = 0;
    const company = makeCompany(makeBudget(10, new Map()), async () => {
      reads += 1;
    });
    const [first, second] = [held(), held()];
    const running = [first, second].map(({ work }) =>
      company.admit(1, async () => {
        await work();
        await company.settle();
      }),
    );
    first.end();
    await turn();
    expect(reads).toBe(0);
    second.end();
    await Promise.all(running);
    expect(reads).toBe(1);
  });
});
