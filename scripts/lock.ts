/**
 * Completes package-lock.json with the optional builds that the registry at hand did not serve when it was written.
 *
 * npm leaves such a build out of the lock file, and `npm ci` then calls the lock file incomplete. The rows added here carry the
 * version and the platform, so that npm knows which machine fetches them; their integrity comes with the first fetch.
 *
 * Run it after each change of the dependencies: `npm install && npm run lock`.
 */
import { readFileSync, writeFileSync } from "node:fs";

interface Row {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Row> };

const systems: Readonly<Record<string, string>> = {
  aix: "aix",
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  netbsd: "netbsd",
  openbsd: "openbsd",
  openharmony: "openharmony",
  sunos: "sunos",
  win32: "win32",
};
const processors: Readonly<Record<string, string>> = {
  amd64: "x64",
  arm: "arm",
  arm64: "arm64",
  ia32: "ia32",
  x64: "x64",
};

/** What a package's name says of its machine; nothing where it names none. */
function machineOf(name: string): { os: string[]; cpu: string[]; libc?: string[] } | undefined {
  const words = name.split(/[/-]/);
  const os = words.map((word) => systems[word]).find((word) => word !== undefined);
  const cpu = words.map((word) => processors[word]).find((word) => word !== undefined);
  if (os === undefined || cpu === undefined) return undefined;
  return { os: [os], cpu: [cpu], ...(words.includes("musl") ? { libc: ["musl"] } : {}) };
}

const added: string[] = [];
for (const [path, row] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(row.optionalDependencies ?? {})) {
    if (
      lock.packages[`node_modules/${name}`] !== undefined ||
      lock.packages[`${path}/node_modules/${name}`] !== undefined
    )
      continue;
    const machine = machineOf(name);
    if (machine === undefined)
      throw new Error(`${path} asks for ${name}, whose name tells no platform: add its row by hand`);
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(row.dev ? { dev: true } : {}),
      optional: true,
      ...machine,
    } as Row;
    added.push(`${name}@${version}`);
  }
}
const [root, ...others] = Object.keys(lock.packages);
lock.packages = Object.fromEntries([root ?? "", ...others.sort()].map((path) => [path, lock.packages[path] as Row]));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(added.length === 0 ? "nothing to add\n" : `${added.join("\n")}\n${added.length} rows added\n`);
