import { describe, expect, it } from "vitest";
import { explain, type Operation } from "./linear.ts";

/** A purse of units: taking needs them, and is refused only without them. */
const take = (name: string, units: number, paid: boolean, from = 0, to = 10): Operation<number> => ({
  name,
  from,
  to,
  apply: (purse) => (purse >= units === paid ? purse - (paid ? units : 0) : null),
});
const put = (name: string, units: number, from = 0, to = 10): Operation<number> => ({
  name,
  from,
  to,
  apply: (purse) => purse + units,
});

describe("explain", () => {
  it("finds the order in which all answers are right", () => {
    const order = explain(5, [take("dear", 5, false), take("cheap", 2, true), put("buys", 1)], String);
    expect(order).toEqual(["cheap", "dear", "buys"]);
  });

  it("finds none where units are spent twice", () => {
    expect(explain(5, [take("one", 5, true), take("two", 5, true)], String)).toBeNull();
  });

  it("finds none where a request is refused that any order pays for", () => {
    expect(explain(10, [take("one", 5, true), take("two", 5, false)], String)).toBeNull();
  });

  it("keeps apart what was not in flight together", () => {
    const early = take("early", 5, false, 0, 1);
    expect(explain(0, [early, put("buys", 5, 2, 3)], String)).toEqual(["early", "buys"]);
    expect(explain(5, [early, take("late", 5, true, 2, 3)], String)).toBeNull();
    expect(explain(5, [{ ...early, to: 2 }, take("late", 5, true, 2, 3)], String)).toEqual(["late", "early"]);
  });

  it("is quick though there are many orders", () => {
    const same = Array.from({ length: 14 }, (_, index) => take(`${index}`, 1, index < 13));
    expect(explain(14, same, String)).toBeNull();
  });
});
