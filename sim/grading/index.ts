/** Clients graded from outside: `assay serve --grade-clients`. */
export { type Grade, LESSONS, type Lesson, TOLD, WANTED } from "./grade.ts";
export { createGrading, type Grading, type GradingOptions } from "./grading.ts";
