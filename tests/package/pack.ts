/** Packs the project as `npm publish` would, and lays the tarball out in an empty folder as `npm install` does, without a registry. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface Packed {
  /** Bytes of the tarball. */
  readonly size: number;
  readonly files: readonly string[];
  readonly manifest: Manifest;
}

/**
 * Installs the packed project into `folder/node_modules`. Its dependencies are links to those of the checkout, and nothing else is: what the
 * package imports but does not declare is missing, as it would be elsewhere. `also` are the user's own packages, such as vitest.
 */
export function installInto(folder: string, also: readonly string[] = []): Packed {
  const npm = (...args: readonly string[]): string =>
    execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  // `dist` is built already; a script of npm's would build it anew under the feet of other tests.
  const told = npm("pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [pack] = JSON.parse(told) as { filename: string; size: number; files: { path: string }[] }[];
  if (pack === undefined) throw new Error(`npm pack told nothing: ${told}`);
  execFileSync("tar", ["-xzf", pack.filename], { cwd: folder });

  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  renameSync(join(folder, "package"), join(modules, "assay"));
  const manifest = JSON.parse(readFileSync(join(modules, "assay/package.json"), "utf8")) as Manifest;
  for (const name of [...Object.keys(manifest.dependencies), ...also]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  for (const [name, path] of Object.entries(manifest.bin)) {
    chmodSync(join(modules, "assay", path), 0o755);
    symlinkSync(join("..", "assay", path), join(modules, ".bin", name));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "elsewhere", private: true, type: "module" }));
  return { size: pack.size, files: pack.files.map(({ path }) => path), manifest };
}
