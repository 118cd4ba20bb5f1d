/** Does a task; what every thread and every machine of a study calls. */
import { canonicalJson } from "../../sim/core/index.ts";
import { runTask, type Task } from "../../sim/study/index.ts";

/** @returns the outcome as canonical JSON, the same text wherever it is made */
export default async function work(task: Task): Promise<string> {
  return canonicalJson(await runTask(task));
}
