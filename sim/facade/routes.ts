/** The table of contents of section 4: which path has which methods, and what a request to it must carry. */
import { getAccount } from "./account.ts";
import { openDispute } from "./disputes.ts";
import type { Door } from "./door.ts";
import type { Fields } from "./fields.ts";
import type { Answer } from "./http.ts";
import type { Call, Inside } from "./inside.ts";
import { getJob, listJobs } from "./job-list.ts";
import { getModel, listModels } from "./models.ts";
import type { Refusal } from "./refusal.ts";
import { createWebhook, deleteWebhook, listWebhooks } from "./webhooks.ts";

/** An endpoint: `run` answers at once; a chat, which does not, is `complete` in `chat.ts`. */
export interface Endpoint {
  readonly run: ((inside: Inside, call: Call) => Answer | Refusal) | "chat";
  /** Rules for the body; an endpoint without them has no body. */
  readonly fields?: (door: Door) => Fields;
}

/** A path under `/v1`; `:id` stands for any one segment. */
interface Route {
  readonly path: readonly string[];
  readonly methods: Readonly<Record<string, Endpoint>>;
}

const ROUTES: readonly Route[] = [
  { path: ["chat", "completions"], methods: { POST: { run: "chat", fields: (door) => door.chatFields } } },
  { path: ["models"], methods: { GET: { run: listModels } } },
  { path: ["models", ":id"], methods: { GET: { run: getModel } } },
  { path: ["account"], methods: { GET: { run: getAccount } } },
  { path: ["jobs"], methods: { GET: { run: listJobs } } },
  { path: ["jobs", ":id"], methods: { GET: { run: getJob } } },
  { path: ["jobs", ":id", "dispute"], methods: { POST: { run: openDispute, fields: (door) => door.disputeFields } } },
  {
    path: ["webhooks"],
    methods: { GET: { run: listWebhooks }, POST: { run: createWebhook, fields: (door) => door.webhookFields } },
  },
  { path: ["webhooks", ":id"], methods: { DELETE: { run: deleteWebhook } } },
];

/** The endpoint of a request, the methods of its path where it has others, or undefined where nothing has that path. */
export function route(
  method: string,
  segments: readonly string[],
): { endpoint: Endpoint; id: string } | { allowed: readonly string[] } | undefined {
  if (segments[0] !== "v1") return undefined;
  const rest = segments.slice(1);
  const found = ROUTES.find(
    ({ path }) =>
      path.length === rest.length && path.every((part, i) => (part === ":id" ? rest[i] !== "" : part === rest[i])),
  );
  if (found === undefined) return undefined;
  const endpoint = Object.hasOwn(found.methods, method) ? found.methods[method] : undefined;
  if (endpoint === undefined) return { allowed: Object.keys(found.methods) };
  return { endpoint, id: rest[found.path.indexOf(":id")] ?? "" };
}
