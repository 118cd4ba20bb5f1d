import { describe, expect, it } from "vitest";
import { spreadRepeated, withoutSecrets } from "./command-line.ts";

describe("a command line", () => {
  it.each([
    ["conform http://h --only 4.6 2.5", "conform http://h --only 4.6 --only 2.5"],
    ["conform --key a b http://h --only 4.6", "conform --key a --key b http://h --only 4.6"],
    ["conform --key a --key b http://h", "conform --key a --key b http://h"],
    ["conform http://h --only=4.6 --seed 2", "conform http://h --only=4.6 --seed 2"],
    ["conform --seed 2 http://h", "conform --seed 2 http://h"],
    ["demo --only 4.6 2.5 --runs 3", "demo --only 4.6 --only 2.5 --runs 3"],
    ["score --only 4.6 2.5", "score --only 4.6 2.5"],
  ])("%s is read as it was meant", (line, meant) => {
    expect(spreadRepeated(line.split(" ")).join(" ")).toBe(meant);
  });

  it("is shown without its keys", () => {
    const words = "conform --key one two http://h --control-token=three --only 4.6 --control-token four".split(" ");
    expect(withoutSecrets(words)).toBe(
      "assay conform --key *** *** http://h --control-token=*** --only 4.6 --control-token ***",
    );
  });
});
