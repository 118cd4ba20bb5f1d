/** Files that a command writes at its end: looked at before the work begins, and written whole or not at all. */
import { accessSync, constants, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AssayError } from "../sim/core/index.ts";

/** @throws AssayError where the file of a flag cannot be written */
export function mustBeWritable(flag: string, file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw new Error("it is a folder");
  } catch (error) {
    throw new AssayError({
      what: "A report cannot be written there.",
      where: `${flag} ${file}`,
      seen: (error as Error).message,
      expected: "a file in a folder that exists and can be written",
    });
  }
}

/** All of it or nothing: a reader never sees half a file. */
export function writeWhole(file: string, text: string): void {
  const partial = `${file}.partial`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}
