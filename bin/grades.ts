/** What `assay serve --grade-clients` tells at its end. */
import type { Writable } from "node:stream";
import { gradesText } from "../reports/grades-text.ts";
import { createGrading, type Grade, type Grading } from "../sim/grading/index.ts";
import { wallClock } from "../sim/server/index.ts";
import { mustBeWritable, writeWhole } from "./whole-file.ts";

export interface GradeFlags {
  readonly gradeClients: boolean;
  readonly grades: string | undefined;
}

/** The bench, where it is asked for. Clients wait by a real clock, whatever the speed of the service's. */
export function openGrading(flags: GradeFlags): Grading | undefined {
  if (!flags.gradeClients) return undefined;
  if (flags.grades !== undefined) mustBeWritable("--grades", flags.grades);
  return createGrading({ now: wallClock.elapsed });
}

/** Prints the grades, and writes them where `--grades` says. Returns the exit code: 0 all good, 1 for a bad one, 3 where nothing was shown. */
export function tellGrades(grades: readonly Grade[], file: string | undefined, out: Writable): number {
  out.write(`\n${gradesText(grades)}`);
  if (file !== undefined) writeWhole(file, `${JSON.stringify(grades, null, 2)}\n`);
  const some = (verdict: Grade["verdict"]): boolean => grades.some((grade) => grade.verdict === verdict);
  return some("bad") ? 1 : some("good") ? 0 : 3;
}
