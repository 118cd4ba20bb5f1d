/** Lines that are read back give the run that they were made for. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { DEFAULTS, PATIENCE, type TargetOptions } from "../conformance/index.ts";
import { conformCommand } from "./commands/conform.ts";
import { main } from "./main.ts";
import { replayCommand } from "./replay-line.ts";

const plain: TargetOptions = {
  baseUrl: "http://127.0.0.1:8080",
  keys: ["svc_live_secret"],
  brand: DEFAULTS.brand,
  control: { url: "http://127.0.0.1:8081", token: "token" },
  receiver: {},
  maxCredits: DEFAULTS.maxCredits,
  timeout: DEFAULTS.timeout,
  patience: PATIENCE.short,
  seed: 1,
  runs: DEFAULTS.runs,
  only: [],
};

it("tells what differs from the default, and no secret", () => {
  expect(replayCommand(plain, undefined)).toBe("assay conform http://127.0.0.1:8080 --control http://127.0.0.1:8081");
  const other = {
    ...plain,
    control: undefined,
    maxCredits: 50,
    patience: { each: 20_000, total: 200_000 },
    insecure: true,
  };
  expect(replayCommand({ ...other, receiver: false }, "my settings.yaml")).toBe(
    "assay conform http://127.0.0.1:8080 --config 'my settings.yaml' --max-credits 50 --patience 20 --no-receiver --insecure",
  );
});

it("reads the same after a shell has read it", async () => {
  const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.startsWith("-"));
  await fc.assert(
    fc.asyncProperty(word, fc.integer({ min: 0, max: 9_999 }), async (config, maxCredits) => {
      const line = replayCommand({ ...plain, maxCredits }, config);
      const words = execFileSync("sh", ["-c", `printf '%s\\n' ${line.slice("assay ".length)}`])
        .toString()
        .split("\n")
        .slice(0, -1);
      const read: Record<string, unknown> = {};
      await main(words, [
        { ...conformCommand, handler: (options: Record<string, unknown>) => void Object.assign(read, options) },
      ]);
      expect(read).toMatchObject({
        baseUrl: plain.baseUrl,
        config,
        maxCredits: maxCredits === DEFAULTS.maxCredits ? undefined : maxCredits,
      });
    }),
    { numRuns: 10 },
  );
});
