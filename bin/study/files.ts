/** Files that are there whole or not at all: written beside, then renamed. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AssayError } from "../../sim/core/index.ts";

/** How bytes come to a disk; a test has one that is full. */
export interface Disk {
  write(file: string, data: string | Uint8Array): void;
}

export const disk: Disk = { write: (file, data) => writeFileSync(file, data) };

const UNFINISHED = ".unfinished-";

/** @throws AssayError where the file cannot be written; then nothing of it is left */
export function writeWhole(file: string, data: string | Uint8Array, to: Disk = disk): void {
  const beside = join(dirname(file), `${UNFINISHED}${process.pid}-${basename(file)}`);
  try {
    to.write(beside, data);
    renameSync(beside, file);
  } catch (cause) {
    try {
      rmSync(beside, { force: true });
    } catch {
      // What cannot be written may not be removable either; the next start removes it.
    }
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new AssayError({
      what: "A result cannot be written.",
      where: file,
      seen: code === "ENOSPC" ? "ENOSPC: the disk is full" : (code ?? message),
      expected: "a folder that can be written to, on a disk with space left",
      hint: "what was written before is kept; the same command goes on from there",
      cause,
    });
  }
}

/** @throws AssayError where the folder cannot be made */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new AssayError({
      what: "The folder for the results cannot be made.",
      where: folder,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "a path that can be written to",
      cause,
    });
  }
}

/** Removes what a process that was killed has left half-written. */
export function sweepUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(folder, name), { force: true });
  }
}
