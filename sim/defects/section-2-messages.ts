/** Defects in completions, chunks, webhooks, envelopes and dispute results as objects (sections 2.4, 2.6, 2.7, 2.8). */
import { unix } from "../facade/inside.ts";
import {
  answers,
  type Body,
  bodies,
  chunk,
  completion,
  disputed,
  envelope,
  webhook,
  within,
  without,
} from "../facade/overrides.ts";
import { sequence, single } from "./defect.ts";

/** A completion or chunk with its only choice changed. */
const choice = (body: Body, change: (only: Body) => Body): Body => ({
  ...body,
  choices: (body.choices as readonly Body[]).map(change),
});

const usage = (change: (usage: Body) => Body) => completion((body) => within(body, "usage", change));

export const section2Messages = [
  single(
    "completion-id-of-its-own",
    "2.4/2",
    "A completion's id does not contain its job's",
    completion((body, _, record) => ({
      ...body,
      id: `chatcmpl-${record.id.slice("job_".length)}`,
    })),
  ),
  single(
    "completion-object-text",
    "2.4/3",
    "A completion's `object` is `text_completion`",
    completion((body) => ({
      ...body,
      object: "text_completion",
    })),
  ),
  single(
    "completion-model-versioned",
    "2.4/4",
    "A completion's model is the id with a version",
    completion((body) => ({
      ...body,
      model: `${body.model}-0601`,
    })),
  ),
  single(
    "completion-content-in-parts",
    "2.4/5",
    "A completion's content is an array of parts",
    completion((body) =>
      choice(body, (only) =>
        within(only, "message", (message) => ({ ...message, content: [{ type: "text", text: message.content }] })),
      ),
    ),
  ),
  single(
    "completion-without-usage",
    "2.4/6",
    "A completion has no `usage`",
    completion((body) => without(body, "usage")),
  ),
  single(
    "completion-total-off",
    "2.4/7",
    "A completion's total counts the prompt twice",
    usage((counts) => ({
      ...counts,
      total_tokens: Number(counts.total_tokens) + Number(counts.prompt_tokens),
    })),
  ),
  single(
    "completion-choice-counted-from-one",
    "2.4/8",
    "A completion's choice has the index 1",
    completion((body) => choice(body, (only) => ({ ...only, index: 1 }))),
  ),
  single(
    "finish-reason-eos",
    "2.4/9",
    "A completion that ended by itself has the `finish_reason` `eos`",
    completion((body) =>
      choice(body, (only) => ({ ...only, finish_reason: only.finish_reason === "stop" ? "eos" : only.finish_reason })),
    ),
  ),
  sequence(
    "completion-created-at-boot",
    "2.4/10",
    "A completion's `created` is the time at which the service started",
    completion((body, inside) => ({
      ...body,
      created: unix(inside, 0),
    })),
  ),
  single(
    "prompt-not-counted",
    "2.4/11",
    "A completion counts no tokens of the prompt",
    usage((counts) => ({
      ...counts,
      prompt_tokens: 0,
      total_tokens: counts.completion_tokens,
    })),
  ),
  single(
    "chunk-object-completion",
    "2.4/12",
    "A chunk's `object` is that of a completion",
    chunk((body) => ({
      ...body,
      object: "chat.completion",
    })),
  ),
  single(
    "chunk-without-finish-reason",
    "2.4/13",
    "Chunks before the last have no `finish_reason`",
    chunk((body) => choice(body, (only) => (only.finish_reason === null ? without(only, "finish_reason") : only))),
  ),
  single("chunk-ids-differ", "2.4/14", "Every chunk has a number of its own in its id", () => {
    let number = 0;
    return chunk((body) => ({ ...body, id: `${body.id}-${number++}` }));
  }),
  single(
    "last-chunk-created-later",
    "2.4/14",
    "The last chunk's `created` is a second later than the others'",
    chunk((body, _inside, _record, _delta, finish) =>
      finish === null ? body : { ...body, created: Number(body.created) + 1 },
    ),
  ),
  single(
    "chunk-id-of-its-own",
    "2.4/15",
    "The id of a stream's chunks does not contain its job's",
    chunk((body, _, record) => ({
      ...body,
      id: `chatcmpl-${record.id.slice("job_".length)}`,
    })),
  ),
];

export const section2Webhook = [
  single(
    "webhook-id-unprefixed",
    "2.6/1",
    "A webhook's id lacks its prefix",
    webhook((body) => ({
      ...body,
      id: String(body.id).replace("wh_", "hook-"),
    })),
  ),
  single(
    "webhook-url-normalised",
    "2.6/2",
    "A webhook's URL is put into small letters",
    webhook((body) => ({
      ...body,
      url: String(body.url).toLowerCase(),
    })),
  ),
  single(
    "webhook-events-cut",
    "2.6/2",
    "A webhook shows no more than three of its events",
    webhook((body) => ({
      ...body,
      events: (body.events as readonly string[]).slice(0, 3),
    })),
  ),
  single(
    "webhook-status-flag",
    "2.6/3",
    "A webhook's status is a boolean",
    webhook((body) => ({
      ...body,
      status: body.status === "active",
    })),
  ),
  single(
    "secret-in-creation",
    "2.6/4",
    "The answer to a webhook's creation repeats its secret",
    answers((answer, request) => {
      if (request.method !== "POST" || request.target !== "/v1/webhooks" || answer.status >= 300) return answer;
      const { secret } = JSON.parse(Buffer.from(request.body).toString()) as { secret: string };
      return { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text), secret }) };
    }),
  ),
  sequence("secret-in-deletion", "2.6/5", "The answer to a webhook's deletion repeats its secret", () => {
    let secret = "";
    return {
      door: (honest) => ({
        removeWebhook(inside, removed) {
          secret = removed.secret;
          honest.removeWebhook(inside, removed);
        },
      }),
      ...bodies((body, request) => (request.method === "DELETE" && "deleted" in body ? { ...body, secret } : body)),
    };
  }),
  sequence("secret-masked-in-delivery", "2.6/5", "Deliveries carry the secret in the envelope", () => {
    const secrets = new Map<string, string>();
    return {
      door: (honest) => ({
        webhookBody(inside, shown) {
          secrets.set("last", shown.secret);
          return honest.webhookBody(inside, shown);
        },
        envelope: (...given) => ({ ...honest.envelope(...given), key: secrets.get("last") }),
      }),
    };
  }),
  sequence(
    "webhook-ids-repeat",
    "2.6/6",
    "The webhooks of a wallet are numbered anew for each wallet",
    webhook((body, inside, shown) => ({
      ...body,
      id: `wh_${String(inside.webhooks.of(shown.wallet).indexOf(shown)).padStart(20, "0")}`,
    })),
  ),
];

export const section2Envelope = [
  single(
    "event-id-unprefixed",
    "2.7/1",
    "An event's id lacks its prefix",
    envelope((body) => ({
      ...body,
      id: String(body.id).replace("evt_", ""),
    })),
  ),
  single(
    "event-name-in-words",
    "2.7/1",
    "Names of events have an underscore for the dot",
    envelope((body) => ({
      ...body,
      event: String(body.event).replace(".", "_"),
    })),
  ),
  single(
    "event-time-in-seconds",
    "2.7/2",
    "An event's `created_at` is a Unix time",
    envelope((body, inside, _id, _event, at) => ({
      ...body,
      created_at: unix(inside, at),
    })),
  ),
];

export const section2Dispute = [
  single(
    "dispute-job-unnamed",
    "2.8/1",
    "A dispute's result names the job without its prefix",
    disputed((body) => ({
      ...body,
      job_id: String(body.job_id).replace("job_", ""),
    })),
  ),
  single(
    "dispute-hash-bare",
    "2.8/2",
    "The worker's hash in a dispute's result lacks its prefix",
    disputed((body) => ({
      ...body,
      worker_hash: String(body.worker_hash).replace("sha256:", ""),
    })),
  ),
  single(
    "dispute-window-in-words",
    "2.8/3",
    "A dispute's result tells the arbitration window as a string",
    disputed((body) => ({
      ...body,
      arbitration_window_hours: `${body.arbitration_window_hours}h`,
    })),
  ),
  single(
    "dispute-hashes-swapped",
    "2.8/4",
    "A dispute's result takes one hash for the other",
    disputed((body) => ({
      ...body,
      your_hash: body.worker_hash,
      worker_hash: body.your_hash,
    })),
  ),
  sequence(
    "dispute-worker-hash-honest",
    "2.8/5",
    "Of a worker that cheated, a dispute's result shows the hash that it should have posted",
    disputed((body, inside, record) => ({
      ...body,
      worker_hash: inside.door.outputHash(record.plan.text),
    })),
  ),
];
