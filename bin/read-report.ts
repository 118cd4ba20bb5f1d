/** Reads a conformance report that an earlier run wrote. */
import { readFileSync } from "node:fs";
import type { Report } from "../conformance/index.ts";
import { AssayError } from "../sim/core/index.ts";

/** The report in a JSON file. Throws `AssayError` naming the file when it is not one. */
export function readReport(file: string): Report {
  const refuse = (what: string, seen: unknown): never => {
    throw new AssayError({
      what,
      where: file,
      seen,
      expected: 'a JSON document with format "assay-report/1"',
      hint: `assay conform <base-url> --json ${file} writes one`,
    });
  };
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return refuse("The report cannot be read.", (error as Error).message);
  }
  try {
    const value = JSON.parse(text) as Report;
    return value.format === "assay-report/1" ? value : refuse("This is no report of a conformance run.", value.format);
  } catch (error) {
    if (error instanceof AssayError) throw error;
    return refuse("The report is no JSON document.", (error as Error).message);
  }
}
