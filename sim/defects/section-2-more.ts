/** More defects in what answers say of a key, of jobs and of tokens (section 2), each of which holds together by itself. */
import type { Changes } from "../facade/index.ts";
import { iso } from "../facade/inside.ts";
import { account, type Body, job, jobViews, within } from "../facade/overrides.ts";
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

export const section2More = [
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
