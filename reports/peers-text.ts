/** What the judge's peers found on the planted defects, beside the judge. */
import { tableOf } from "./plain-table.ts";

/** What a peer tells, as far as this report reads it. */
export interface PeerScore {
  readonly peer: string;
  readonly package: string;
  readonly version: string | null;
  readonly honest: readonly string[];
  readonly found: readonly { readonly id: string; readonly complaints: readonly string[] }[];
  readonly tried: readonly string[];
}

/** How each defect is come upon, and whether the judge found it. */
export interface PlantedDefect {
  readonly id: string;
  readonly reach: string;
  readonly found: boolean;
}

const REACHES = ["request", "sequence", "boundary", "concurrency"];

/** One row a peer and one for the judge: of the defects that were tried, how many were found, by how they are come upon. */
export function peersText(peers: readonly PeerScore[], defects: readonly PlantedDefect[], version: string): string {
  const row = (name: string, ver: string, tried: readonly PlantedDefect[], found: ReadonlySet<string>): string[] => {
    const share = (of: readonly PlantedDefect[]): string =>
      of.length === 0 ? "-" : `${of.filter(({ id }) => found.has(id)).length} of ${of.length}`;
    return [name, ver, share(tried), ...REACHES.map((reach) => share(tried.filter((each) => each.reach === reach)))];
  };
  const there = peers.filter((each) => each.version !== null);
  const mine = new Set(defects.filter(({ found }) => found).map(({ id }) => id));
  const parts = [
    tableOf([
      ["tool", "version", "found", ...REACHES],
      row("assay", version, defects, mine),
      ...there.map(({ peer, version: ver, tried, found }) =>
        row(
          peer,
          ver ?? "",
          defects.filter(({ id }) => tried.includes(id)),
          new Set(found.map(({ id }) => id)),
        ),
      ),
    ]),
  ];
  const only = unique(there.flatMap(({ found }) => found.map(({ id }) => id))).filter((id) => !mine.has(id));
  if (only.length > 0) parts.push(`Found by a peer and not by assay: ${only.join(", ")}`);
  for (const { peer, honest } of there) {
    if (honest.length > 0)
      parts.push([`${peer} holds against the honest service, too:`, ...honest.map(item)].join("\n"));
  }
  const missing = peers.filter((each) => each.version === null);
  if (missing.length > 0) {
    const packages = missing.map((each) => each.package).join(" ");
    const names = missing.map(({ peer }) => peer).join(", ");
    parts.push(`Not installed, and not tried: ${names}\n  npm install --no-save ${packages}`);
  }
  return `${parts.join("\n\n")}\n`;
}

const item = (text: string): string => `  ${text}`;
const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
