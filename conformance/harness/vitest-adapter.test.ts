import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** The runner cannot run within itself: it is tried in a process of its own. */
function inItsOwnProcess(script: string): string {
  const adapter = fileURLToPath(new URL("./vitest-adapter.ts", import.meta.url));
  const source = `import { runWithVitest } from ${JSON.stringify(adapter)};\n${script}`;
  return execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", source], { encoding: "utf8" });
}

describe("the test runner", () => {
  it("runs the cases one after another in the order given, outside of vitest", () => {
    const out = inItsOwnProcess(`
      const test = (suite, name) => ({ suite, name, run: async () => { console.log("+" + name); await new Promise((r) => setTimeout(r, 5)); console.log("-" + name); } });
      await runWithVitest([test("4.1", "a"), test("4.2", "b"), test("4.1", "c")]);
      await runWithVitest([]);
      console.log("done");
    `);
    expect(out.trim().split("\n")).toEqual(["+a", "-a", "+b", "-b", "+c", "-c", "done"]);
  });

  it("runs neighbours of one suite at the same time that may, and nothing beside the others", () => {
    const out = inItsOwnProcess(`
      let under = 0;
      const test = (name, beside) => ({ suite: beside ? "together" : "4.1", name, beside, run: async () => { under += 1; await new Promise((r) => setTimeout(r, 20)); console.log(name, under); under -= beside ? 0 : 1; } });
      const together = ["a", "b", "c"].map((name) => test(name, true));
      await runWithVitest([...together, { suite: "4.1", name: "reset", run: async () => { under = 0; } }, test("d", false), test("e", false)]);
    `);
    expect(out.trim().split("\n")).toEqual(["a 3", "b 3", "c 3", "d 1", "e 1"]);
  });

  it("tells what a case threw: that is a fault of the judge", () => {
    const out = inItsOwnProcess(`
      const bad = { suite: "4.1", name: "a", run: async () => { throw new Error("no"); } };
      await runWithVitest([bad]).catch((error) => console.log(error.message));
    `);
    expect(out.trim()).toBe("the runner could not run the cases: no");
  });
});
