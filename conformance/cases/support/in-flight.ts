/** Requests that are in flight: their jobs are found in the list, since their answers have not come yet. */
import type { Pending } from "../../exchange/call.ts";
import { retryWait } from "../../exchange/http.ts";
import type { Api } from "../api.ts";
import type { CaseContext } from "../case.ts";
import { idsOf } from "./jobs.ts";
import { newestPage } from "./pages.ts";

export interface InFlight {
  readonly pending: Pending;
  readonly jobId: string;
  /** When the request was sent, and when its job was first seen: the job was created between the two. */
  readonly sentAt: number;
  readonly seenAt: number;
}

const APPEARS_WITHIN = 10_000;
const MOST_SENT = 5;

/** Starts a valid chat with `changes` and finds its job. Ends the case as inconclusive where the list does not show it. */
export async function begin(
  t: CaseContext,
  changes: Readonly<Record<string, unknown>> = {},
  api: Api = t.api,
): Promise<InFlight> {
  const [only] = await beginAll(t, [changes], api);
  return only ?? t.giveUp("no job was begun");
}

/** Starts several chats one after another, each found before the next is sent, so that each has its job. */
export async function beginAll(
  t: CaseContext,
  chats: readonly Readonly<Record<string, unknown>>[],
  api: Api = t.api,
): Promise<readonly InFlight[]> {
  const known = new Set(idsOf(await newest(t, api)));
  const begun: InFlight[] = [];
  for (const changes of chats) {
    const flight = await sendUntilBegun(t, changes, api, known);
    known.add(flight.jobId);
    begun.push(flight);
  }
  return begun;
}

/** Sends a chat until it is more than a 429, which makes no job: what is only started is sent again by nobody else. */
async function sendUntilBegun(
  t: CaseContext,
  changes: Readonly<Record<string, unknown>>,
  api: Api,
  known: ReadonlySet<string>,
): Promise<InFlight> {
  for (let sent = 1; sent <= MOST_SENT; sent++) {
    const sentAt = t.clock.now();
    const pending = api.say(changes).start();
    await t.clock.settle();
    let jobId: string | undefined;
    await t.clock.advanceUntil(
      async () => {
        jobId = idsOf(await newest(t, api)).find((id) => !known.has(id));
        return jobId !== undefined || pending.settled;
      },
      { within: APPEARS_WITHIN, step: 100 },
    );
    if (jobId !== undefined) return { pending, jobId, sentAt, seenAt: t.clock.now() };
    if (pending.status !== 429) break;
    await t.clock.advance(retryWait(await pending.done, t.clock.now()));
  }
  return t.giveUp("a job in flight was not found in the list");
}

const newest = (t: CaseContext, api: Api) => newestPage(t, 50, api);
