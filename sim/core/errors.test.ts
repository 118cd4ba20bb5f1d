import { expect, it } from "vitest";
import { AssayError, InvariantError, invariant } from "./index.ts";

it("says what, where, what was seen and expected, and what to try", () => {
  const error = new AssayError({
    what: "The scenario names a model that the network does not have.",
    where: "scenarios/rush.yaml, clients[2].model",
    seen: "lama-70b",
    expected: ["llama-70b", "mixtral"],
    hint: "add the model under models:\nor correct the name",
  });
  expect(error.message).toMatchInlineSnapshot(`
    "The scenario names a model that the network does not have.
      where     scenarios/rush.yaml, clients[2].model
      seen      lama-70b
      expected  ["llama-70b","mixtral"]
      try       add the model under models:
                or correct the name"
  `);
  expect(error.exitCode).toBe(2);
  expect(error.name).toBe("AssayError");
});

it("leaves out what is not known, and shows what was seen even if it is nothing", () => {
  expect(new AssayError({ what: "No such file." }).message).toMatchInlineSnapshot(`"No such file."`);
  expect(new AssayError({ what: "No such file.", seen: undefined, expected: 3n }).message).toMatchInlineSnapshot(`
    "No such file.
      seen      undefined
      expected  3"
  `);
});

it("keeps its facts and its cause", () => {
  const cause = new Error("ENOENT");
  const error = new AssayError({ what: "No such file.", where: "a.yaml", seen: 1, cause });
  expect(error).toMatchObject({ what: "No such file.", where: "a.yaml", seen: 1, cause });
});

it("tells a broken invariant as a defect of the program", () => {
  expect(() => invariant(true, "one is one")).not.toThrow();
  try {
    invariant(0 > 1, "a balance is never negative");
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(InvariantError);
    expect((error as InvariantError).exitCode).toBe(70);
    expect((error as InvariantError).message).toMatchInlineSnapshot(`
      "Invariant broken: a balance is never negative
        try       this is a defect of assay; please report it with the seed of the run"
    `);
  }
});
