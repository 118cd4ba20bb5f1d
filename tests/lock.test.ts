/** `npm ci` takes a lock file only whole: with every platform's builds, also those that the registry at hand does not serve. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

interface Row {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Rows = Readonly<Record<string, Row>>;

const file = fileURLToPath(new URL("../package-lock.json", import.meta.url));
const rows = (JSON.parse(readFileSync(file, "utf8")) as { packages: Rows }).packages;

/** What `npm ci` would miss. */
const lacking = (all: Rows): string[] =>
  Object.entries(all).flatMap(([path, row]) =>
    Object.keys(row.optionalDependencies ?? {}).filter(
      (name) => all[`node_modules/${name}`] === undefined && all[`${path}/node_modules/${name}`] === undefined,
    ),
  );

describe("the lock file", () => {
  it("has a row for each platform's build (npm run lock adds them)", () => expect(lacking(rows)).toEqual([]));

  it("lacks one where a row is gone", () => {
    const name = "node_modules/@foundry-rs/anvil-darwin-arm64";
    expect(rows).toHaveProperty([name]);
    const { [name]: gone, ...others } = rows;
    expect(lacking(others), gone?.version).toEqual([name.slice("node_modules/".length)]);
  });

  it("names no download host", () => {
    expect(Object.values(rows).filter((row) => row.resolved !== undefined)).toEqual([]);
  });
});
