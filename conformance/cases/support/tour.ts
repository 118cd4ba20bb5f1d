/** One request for each endpoint of section 4, and the streamed chat besides: for what must hold everywhere. */
import type { Call } from "../../exchange/call.ts";
import type { Endpoint } from "../../exchange/exchange.ts";
import type { Api, CallOptions } from "../api.ts";
import type { CaseContext } from "../case.ts";
import { sha256 } from "./hash.ts";

/** What the tour points at: things of the wallet, or made-up names where it has none. */
export interface Sights {
  readonly model: string;
  readonly jobId: string;
  readonly webhookId: string;
  /** An address for webhooks. Nothing is ever to be sent to it. */
  readonly url: string;
}

export interface Stop {
  readonly name: Endpoint | "POST /v1/chat/completions, streamed";
  send(api: Api, sights: Sights, options?: CallOptions): Call;
}

/** Long enough for whoever wants a long one. */
const TOUR_SECRET = "whsec_of_the_tour_which_nobody_is_ever_told_of";

/** Requests that are without fault but for their key. A chat is told to cost nothing: it is to be refused. */
export const tour: readonly Stop[] = [
  {
    name: "POST /v1/chat/completions",
    send: (api, { model }, options) => api.say({ model }, { cost: 0, ...options }),
  },
  {
    name: "POST /v1/chat/completions, streamed",
    send: (api, { model }, options) => api.say({ model, stream: true }, { cost: 0, ...options }),
  },
  { name: "GET /v1/models", send: (api, _, options) => api.models(options) },
  { name: "GET /v1/models/{model_id}", send: (api, { model }, options) => api.model(model, options) },
  { name: "GET /v1/account", send: (api, _, options) => api.account(options) },
  { name: "GET /v1/jobs/{job_id}", send: (api, { jobId }, options) => api.job(jobId, options) },
  { name: "GET /v1/jobs", send: (api, _, options) => api.jobs({ limit: 1 }, options) },
  {
    name: "POST /v1/jobs/{job_id}/dispute",
    send: (api, { jobId }, options) => api.dispute(jobId, sha256("never said"), options),
  },
  {
    name: "POST /v1/webhooks",
    send: (api, { url }, options) =>
      api.createWebhook({ url, events: ["job.completed"], secret: TOUR_SECRET }, options),
  },
  { name: "GET /v1/webhooks", send: (api, _, options) => api.webhooks(options) },
  {
    name: "DELETE /v1/webhooks/{webhook_id}",
    send: (api, { webhookId }, options) => api.deleteWebhook(webhookId, options),
  },
];

/** Sights that exist: a finished job and a webhook of the case's own wallet, where there is a receiver. */
export async function realSights(t: CaseContext): Promise<Sights> {
  const { jobId } = await t.complete();
  const made = t.has("receiver") ? await t.subscribe({ events: ["job.failed"] }) : null;
  return { ...imaginedSights(t), jobId, ...(made === null ? {} : { webhookId: made.id, url: made.endpoint.url }) };
}

/** Sights that no wallet has. They cost nothing. */
export function imaginedSights(t: CaseContext): Sights {
  return {
    model: t.model().id,
    jobId: `job_${t.random.text(24)}`,
    webhookId: `wh_${t.random.text(24)}`,
    url: "https://hooks.assay.example/never",
  };
}
