/** The package's version: two levels up from `dist/bin`, one from `bin`. */
import { readFileSync } from "node:fs";

export function version(): string {
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      return (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as { version: string }).version;
    } catch {
      // Not there: look further up.
    }
  }
  return "unknown";
}
