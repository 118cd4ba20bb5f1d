/** Long texts: a slow network may not make them in the 120 seconds that a job has, and that is no fault. */
import { completedFrom } from "../../checks/completed.ts";
import type { Api } from "../api.ts";
import type { CaseContext, Completed } from "../case.ts";
import { told } from "./refusals.ts";

/** From here on an answer without a result may be that of the time-out. */
const LATE = 115_000;

/** A valid chat that is answered, or null where it took the job's whole time. Ends the case as inconclusive when it was refused earlier. */
export async function completeLong(
  t: CaseContext,
  changes: Readonly<Record<string, unknown>>,
  api: Api = t.api,
): Promise<Completed | null> {
  const answer = await api.say(changes);
  const done = completedFrom(answer, t.brand);
  if (done !== null) return done;
  if (answer.endedAt - answer.sentAt >= LATE) return null;
  return t.giveUp(`a valid chat was not completed: ${answer.ending === "answered" ? told(answer) : answer.ending}`);
}
