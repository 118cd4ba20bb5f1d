/** What this machine simulates with: two that say the same give the same bytes. */
import { type Engine, fingerprint } from "../../sim/study/index.ts";
import { version } from "../version.ts";

let known: Promise<Engine> | undefined;

export function engineHere(): Promise<Engine> {
  known ??= fingerprint().then((hash) => ({ version: version(), fingerprint: hash }));
  return known;
}

export const tellEngine = ({ version: number, fingerprint: hash }: Engine): string => `assay ${number}, engine ${hash}`;

export const sameEngine = (a: Engine, b: Engine): boolean => a.version === b.version && a.fingerprint === b.fingerprint;
