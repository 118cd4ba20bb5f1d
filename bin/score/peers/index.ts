/**
 * What other tools find on the planted defects. Each peer tries the honest service first: what it holds against that one too is no discovery. A peer
 * finds a defect when it holds anything more against the service that has it, whatever that is: the judge is held to naming the requirement, its peers are not.
 */
import { AssayError } from "../../../sim/core/index.ts";
import { type Defect, findDefect } from "../../../sim/defects/index.ts";
import type { Override } from "../../../sim/facade/index.ts";
import { serve } from "../../../sim/server/index.ts";
import { compatCanary } from "./compat-canary.ts";
import { openaiClient } from "./openai-client.ts";
import { installed, type Peer } from "./peer.ts";
import { prism } from "./prism.ts";

const PEERS: readonly Peer[] = [prism, compatCanary, openaiClient];

/** What a peer found. `version` is null, and nothing was tried, where it is not installed. */
export interface PeerResult {
  readonly peer: string;
  readonly package: string;
  readonly version: string | null;
  /** Held against the honest service. */
  readonly honest: readonly string[];
  readonly found: readonly { readonly id: string; readonly complaints: readonly string[] }[];
  /** Defects that were tried. */
  readonly tried: readonly string[];
}

/** A model of the default network. */
const MODEL = "brook-3b";
/** A minute passes each second: a chat takes some milliseconds, a time-out two seconds. */
const SPEED = 60;

/** Tries every peer that is installed on services with each of the defects, one after another. `signal` ends it early, with what there is. */
export async function tryPeers(
  ids: readonly string[],
  options: {
    readonly seed: number;
    readonly signal: AbortSignal;
    readonly told: (line: string) => void;
    /** Packages of the peers to try; all when left out. */
    readonly only?: readonly string[];
  },
): Promise<readonly PeerResult[]> {
  const defects = ids.flatMap((id) => findDefect(id) ?? []);
  const results: PeerResult[] = [];
  for (const peer of PEERS.filter((each) => options.only?.includes(each.package) ?? true)) {
    if (options.signal.aborted) break;
    results.push(await tryPeer(peer, defects, options));
  }
  return results;
}

async function tryPeer(
  peer: Peer,
  defects: readonly Defect[],
  { seed, signal, told }: Parameters<typeof tryPeers>[1],
): Promise<PeerResult> {
  const there = installed(peer.package);
  const facts = { peer: peer.name, package: peer.package, version: there?.version ?? null };
  if (there === null) return { ...facts, honest: [], found: [], tried: [] };
  const open = await peer.open(there.folder);
  try {
    const complaintsOf = async (overrides: readonly Override[]): Promise<readonly string[]> => {
      const serving = await serve({ port: 0, mode: "real", speed: SPEED, seed, overrides });
      try {
        const { key } = serving.service.facade.openWallet(10_000);
        return [...new Set(await open.complaints({ base: serving.base, key, model: MODEL }))];
      } finally {
        await serving.stop();
      }
    };
    const honest = await complaintsOf([]);
    const found: { id: string; complaints: readonly string[] }[] = [];
    const tried: string[] = [];
    for (const { id, override } of defects) {
      if (signal.aborted) break;
      const complaints = (await complaintsOf([override])).filter((each) => !honest.includes(each));
      tried.push(id);
      if (complaints.length > 0) found.push({ id, complaints });
      if (tried.length % 20 === 0 || tried.length === defects.length) {
        told(`${peer.name}: ${tried.length}/${defects.length}, ${found.length} found\n`);
      }
    }
    return { ...facts, honest, found, tried };
  } finally {
    await open.close();
  }
}

/** Ends a wrong use of the option early. */
export function mustHaveDefects(ids: readonly string[]): void {
  if (ids.length > 0) return;
  throw new AssayError({
    what: "No planted defect is selected for the peers to find.",
    where: "--peers",
    expected: "a selection with defects",
    hint: "leave --only out, or name defects or sections",
  });
}
