/** What a peer is: a tool that others use on such a service, as it is found on this machine. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A service to be tried, at an address of this machine. */
export interface Tried {
  /** Without `/v1`. */
  readonly base: string;
  readonly key: string;
  /** A model that it lists. */
  readonly model: string;
}

/** A peer that is ready. Complaints are told in words that do not vary from one run on the same service to the next. */
export interface OpenPeer {
  complaints(service: Tried): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Peer {
  readonly name: string;
  /** The package that it comes in. */
  readonly package: string;
  /** Gets it ready, from the folder where the package lies. */
  open(folder: string): Promise<OpenPeer>;
}

export interface Installed {
  readonly folder: string;
  readonly version: string;
}

/** Where a package lies, seen from the current folder, else from this program; null when it is not installed. */
export function installed(name: string): Installed | null {
  const roots = [join(process.cwd(), "package.json"), import.meta.url];
  for (const folder of roots.flatMap((root) => createRequire(root).resolve.paths(name) ?? [])) {
    const file = join(folder, name, "package.json");
    if (existsSync(file)) return { folder: join(folder, name), version: String(manifest(file).version) };
  }
  return null;
}

/** The file of a package's only command, or of that name. */
export function commandOf(folder: string, name: string): string {
  const { bin } = manifest(join(folder, "package.json"));
  const file = typeof bin === "string" ? bin : (bin as Readonly<Record<string, string>> | undefined)?.[name];
  return join(folder, file ?? "");
}

function manifest(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(file, "utf8"));
}
