import { describe, expect, it } from "vitest";
import { type Case, defineCase } from "../cases/case.ts";
import { needsOf, planOf, select } from "./plan.ts";

const run = (): Promise<void> => Promise.resolve();
const late = defineCase({
  id: "4.7/late",
  title: "",
  requirements: ["4.7/11", "7.2/14"],
  cost: ({ flat }) => 2 * flat,
  run,
});
const list = defineCase({ id: "4.2/list", title: "", requirements: ["4.2/1"], run });
const slash = defineCase({ id: "3.1/slash", title: "", requirements: ["3.1/15"], needs: ["arbitration"], run });
const all = [slash, list, late];
const prices = { flat: 2, perThousand: 1 };

describe("the selection", () => {
  it.each([
    ["a section", ["4.7"], ["4.7/late"]],
    ["a section with its subsections", ["4"], ["4.2/list", "4.7/late"]],
    ["a requirement", ["7.2/14"], ["4.7/late"]],
    ["a case", ["4.2/list"], ["4.2/list"]],
    ["several", ["3", "4.2"], ["3.1/slash", "4.2/list"]],
    ["a requirement that no case tries", ["9/1"], []],
    ["all", [], ["3.1/slash", "4.2/list", "4.7/late"]],
  ])("takes %s", (_, only, ids) => {
    expect(select(all, only).map(({ id }) => id)).toEqual(ids);
  });

  it("refuses what is none of these", () => {
    expect(() => select(all, ["4.7/lat"])).toThrow("No case is selected.");
  });
});

describe("the plan", () => {
  it("leaves out what cannot be tried and says what to bring; the rest costs what it says", () => {
    const plan = planOf(all, { only: [], available: ["key", "credits"], prices, fresh: false });
    expect(plan.cases.map(({ case: { id }, leftOut, cost }) => [id, leftOut, cost])).toEqual([
      ["4.2/list", null, 0],
      ["4.7/late", "needs minutes: a clock that can be moved (--control), or --patience long", 0],
      ["3.1/slash", "needs verdicts (--control with the capability `arbitration`)", 0],
    ]);
    const rich = planOf(all, { only: [], available: ["key", "credits", "clock"], prices, fresh: false });
    expect(rich.cost).toBe(4);
  });

  it("costs nobody anything where wallets are made", () => {
    expect(planOf(all, { only: [], available: ["wallets", "clock"], prices, fresh: true }).cost).toBe(0);
  });

  it("tries last what leaves the network another one", () => {
    const plan = planOf(all, { only: [], available: ["wallets", "clock", "arbitration"], prices, fresh: true });
    expect(plan.cases.at(-1)?.case.id).toBe("3.1/slash");
  });

  it("lets paid cases wait beside each other where time cannot be moved, but none that watches its wallet or needs more than a key", () => {
    const paid = (id: string, more: Partial<Case> = {}): Case =>
      defineCase({
        id,
        title: "",
        requirements: ["4.2/1"],
        needs: ["credits"],
        cost: ({ flat }) => flat,
        run,
        ...more,
      });
    const mixed = [
      paid("4.2/watching", { alone: true }),
      paid("4.2/other-wallet", { needs: ["credits", "second-wallet"] }),
      list,
      paid("4.2/chat"),
    ];
    const facts = { only: [], available: ["key", "credits", "second-wallet"] as const, prices, fresh: false };
    const beside = (waiting: boolean) =>
      planOf(mixed, { ...facts, waiting }).cases.map((each) => [each.case.id, each.beside]);
    expect(beside(true)).toEqual([
      ["4.2/chat", true],
      ["4.2/watching", false],
      ["4.2/other-wallet", false],
      ["4.2/list", false],
    ]);
    expect(beside(false).map(([, together]) => together)).toEqual([false, false, false, false]);
  });

  it("takes from the rows what a case does not say itself", () => {
    expect(needsOf(late)).toEqual(["key", "credits", "patience"]);
    expect(needsOf(slash)).toEqual(["key", "arbitration"]);
  });
});
