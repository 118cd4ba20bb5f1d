/** Output into a pipe whose reader has seen enough, such as `assay defects | head`. */
import type { Writable } from "node:stream";

/** Lets a command go on to its end, with its files and its exit code, when nobody reads its output any more. */
export function outlivePipe(stream: Writable): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
