import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the reference and the schemas are what the program says (else: npm run reference)", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "scripts/reference.ts", "--check"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
