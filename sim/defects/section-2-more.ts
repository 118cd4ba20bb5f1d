/** More defects in what answers say of a key, of jobs and of tokens (section 2), each of which holds together by itself. */
import type { Changes } from "../facade/index.ts";
import { iso } from "../facade/inside.ts";
import { account, type Body, job, jobViews, network, watch, within } from "../facade/overrides.ts";
import type { JobView } from "../port.ts";
import { sequence, single } from "./defect.ts";

/** One settlement for all jobs, wherever it is told. */
function oneSettlement(): Changes {
  const settlement = `0x${"5".repeat(64)}`;
  const told = (fields: Body, name: string): Body =>
    typeof fields[name] === "string" ? { ...fields, [name]: settlement } : fields;
  return {
    door: (honest) => ({
      jobBody: (inside, record) =>
        within(honest.jobBody(inside, record), "on_chain", (chain) => told(chain, "settlement_tx")),
      receipt: (inside, subject) =>
        told(honest.receipt(inside, subject), `${inside.brand.headerPrefix}settlement-tx`) as Record<string, string>,
      eventData: (inside, event) => told(honest.eventData(inside, event), "settlement_tx"),
    }),
  };
}

/** Shows the jobs of streams otherwise than they are. */
function streamedJobs(change: (view: JobView) => Partial<JobView>): Changes {
  const { middleware, streams } = watch();
  const streamed = new Set<number>();
  return {
    middleware,
    ...network((honest) => ({
      submit(request, listener) {
        const isStream = streams();
        const result = honest.submit(request, listener);
        if (isStream && result.ok) streamed.add(result.job);
        return result;
      },
      job(number) {
        const view = honest.job(number);
        if (view === undefined || !streamed.has(number)) return view;
        return Object.assign(Object.create(view), change(view)) as JobView;
      },
    })),
  };
}

export const section2More = [
  single("stream-prompt-uncounted", "2.4/11", "The job of a stream counts one token of prompt, whatever it was", () =>
    streamedJobs(() => ({ promptTokens: 1 })),
  ),
  single("stream-usage-swapped", "2.4/11", "The job of a stream tells its token counts the wrong way round", () =>
    streamedJobs((view) => ({ promptTokens: view.outputTokens, outputTokens: view.promptTokens })),
  ),
  single(
    "key-created-when-asked",
    "2.1/5",
    "`api_key_created_at` is the time of the request",
    account((body, inside) => ({ ...body, api_key_created_at: iso(inside, inside.network.now) })),
  ),
  sequence("settlement-of-the-first-job", "2.3/22", "All jobs name one settlement transaction", oneSettlement),
  single(
    "completed-when-created",
    "2.3/26",
    "`completed_at` is the time of the request",
    job((body) => (typeof body.completed_at === "string" ? { ...body, completed_at: body.created_at } : body)),
  ),
  single(
    "prompt-counted-by-messages",
    "2.4/11",
    "A prompt counts a few tokens however long it is",
    jobViews((view) => ({
      promptTokens: 1 + (view.promptTokens % 9),
    })),
  ),
];
