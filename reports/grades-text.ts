/** Grades of clients for people: a table a client. */
import { type Grade, TOLD, WANTED } from "../sim/grading/index.ts";
import { tableOf } from "./plain-table.ts";

/** The text; the last line counts. */
export function gradesText(grades: readonly Grade[]): string {
  if (grades.length === 0) return "No client has come: nothing is graded.\n";
  const clients = [...new Set(grades.map(({ client }) => client))];
  const parts = clients.map((client) => {
    const rows = grades
      .filter((grade) => grade.client === client)
      .map(({ lesson, verdict, seen }) => [verdict, TOLD[lesson], WANTED[lesson], seen]);
    return `client ${client}\n${tableOf([["grade", "what happened to it", "a good client", "this one"], ...rows])}`;
  });
  const count = (verdict: Grade["verdict"]): number => grades.filter((grade) => grade.verdict === verdict).length;
  parts.push(
    `${count("good")} good, ${count("bad")} bad, ${count("not shown")} not shown, ${count("not tried")} not tried`,
  );
  return `${parts.join("\n\n")}\n`;
}
