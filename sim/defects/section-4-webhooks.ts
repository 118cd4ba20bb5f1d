/** Defects in registering, listing and deleting webhooks, and in receipts (sections 4.8 to 4.11). */
import { arrayOf, type Field, oneOf, type Rule, required, text } from "../facade/fields.ts";
import type { Changes } from "../facade/index.ts";
import { iso, view } from "../facade/inside.ts";
import { answers, type Body, bodies, bodyOf, instead, receipt, status, webhook } from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";

const fields = (changed: Readonly<Record<string, Field>>): Changes => ({
  door: (honest) => ({ webhookFields: { ...honest.webhookFields, ...changed } }),
});

const anyUrl: Rule = (value, param, shape) =>
  typeof value === "string" && URL.canParse(value)
    ? undefined
    : (text(value, param, shape) ?? { status: 400, code: "invalid_request", message: "url is a URL.", param });

export const section4Webhooks = [
  single(
    "webhook-created-pending",
    "4.8/1",
    "A new webhook is `pending`",
    webhook((body, inside, shown) => ({
      ...body,
      status: shown.createdAt === inside.network.now ? "pending" : body.status,
    })),
  ),
  single("webhook-without-secret", "4.8/2", "A webhook can be created without a secret", {
    middleware: () => (request, response, next) => {
      const body = bodyOf(request);
      const bare =
        request.method === "POST" &&
        request.target === "/v1/webhooks" &&
        body !== undefined &&
        body.secret === undefined;
      return next(
        bare ? { ...request, body: Buffer.from(JSON.stringify({ ...body, secret: "none" })) } : request,
        response,
      );
    },
  }),
  single("webhook-without-events", "4.8/2", "A webhook can be created without `events`", {
    middleware: () => (request, response, next) => {
      const body = bodyOf(request);
      const bare =
        request.method === "POST" &&
        request.target === "/v1/webhooks" &&
        body !== undefined &&
        body.events === undefined;
      return next(
        bare ? { ...request, body: Buffer.from(JSON.stringify({ ...body, events: ["job.completed"] })) } : request,
        response,
      );
    },
  }),
  single("webhook-over-http", "4.8/3", "A webhook may have an `http:` URL", fields({ url: required(anyUrl) })),
  single("webhook-event-as-text", "4.8/4", "`events` may be one name", {
    middleware: () => (request, response, next) => {
      const body = bodyOf(request);
      const alone = request.target === "/v1/webhooks" && typeof body?.events === "string";
      return next(
        alone ? { ...request, body: Buffer.from(JSON.stringify({ ...body, events: [body.events] })) } : request,
        response,
      );
    },
  }),
  single("webhook-secret-may-be-number", "4.8/4", "A secret may be a number", {
    middleware: () => (request, response, next) => {
      const body = bodyOf(request);
      const numeric = request.target === "/v1/webhooks" && typeof body?.secret === "number";
      return next(
        numeric ? { ...request, body: Buffer.from(JSON.stringify({ ...body, secret: String(body.secret) })) } : request,
        response,
      );
    },
  }),
  single(
    "webhook-mix-refused",
    "4.8/5",
    "Events of jobs and of workers cannot be mixed",
    instead((request) => {
      const events = bodyOf(request)?.events;
      if (!Array.isArray(events) || request.target !== "/v1/webhooks") return undefined;
      const kinds = new Set(events.map((name) => String(name).split(".")[0]));
      if (!kinds.has("job") || !kinds.has("worker")) return undefined;
      const error = { code: "invalid_request", message: "Do not mix.", type: "invalid_request_error", param: "events" };
      return { status: 400, body: { error: { ...error, docs: "https://docs.service.example" } } };
    }),
  ),
  single(
    "webhook-event-missing",
    "4.8/5",
    "`worker.slashed` is no event that can be subscribed",
    fields({
      events: required((value, param, shape) =>
        Array.isArray(value) && value.includes("worker.slashed")
          ? oneOf(["the other nine"])("worker.slashed", param, shape)
          : undefined,
      ),
    }),
  ),
  single(
    "webhook-unknown-event",
    "4.8/6",
    "An event of any name can be subscribed",
    fields({ events: required(arrayOf(text)) }),
  ),
  sequence("refused-webhook-kept", "4.8/10", "A webhook that is refused for its events is there all the same", {
    middleware: (inside) => (request, response, next) => {
      const body = bodyOf(request);
      const key = inside.door.authenticate(inside, request.headers.authorization, {
        method: "POST",
        path: request.target,
      });
      const meant = request.method === "POST" && request.target === "/v1/webhooks" && "wallet" in key;
      const exchange = next(request, {
        head(code, headers) {
          if (meant && code >= 400 && typeof body?.url === "string" && typeof body.secret === "string") {
            const { url, secret } = body;
            inside.webhooks.add({
              wallet: key.wallet,
              url,
              secret,
              events: ["job.completed"],
              createdAt: inside.network.now,
            });
          }
          response.head(code, headers);
        },
        write: (part) => response.write(part),
        end: (trailers) => response.end(trailers),
        cut: () => response.cut(),
      });
      return exchange;
    },
  }),
  sequence("webhook-list-of-three", "4.9/1", "The list shows the three oldest webhooks only", {
    door: (honest) => ({ listedWebhooks: (inside, wallet) => honest.listedWebhooks(inside, wallet).slice(0, 3) }),
  }),
  single("webhook-list-of-everyone", "4.9/2", "The list shows the webhooks of every wallet", {
    door: () => ({ listedWebhooks: (inside) => inside.webhooks.all() }),
  }),
  single("secret-in-list", "4.9/3", "The list shows the secrets", {
    ...bodies((body, { method, target }, inside) =>
      method === "GET" && target === "/v1/webhooks" && Array.isArray(body.data)
        ? {
            ...body,
            data: (body.data as Body[]).map((each) => ({
              ...each,
              secret: inside.webhooks.find(String(each.id))?.secret,
            })),
          }
        : body,
    ),
  }),
  sequence(
    "webhook-created-now",
    "4.9/5",
    "In the list `created_at` is the time of the request",
    bodies((body, { method, target }, inside) =>
      method === "GET" && target === "/v1/webhooks" && Array.isArray(body.data)
        ? {
            ...body,
            data: (body.data as Body[]).map((each) => ({ ...each, created_at: iso(inside, inside.network.now) })),
          }
        : body,
    ),
  ),
  sequence(
    "webhook-list-sorts-events",
    "4.9/5",
    "In the list the last of several events is missing",
    bodies((body, { method, target }) =>
      method === "GET" && target === "/v1/webhooks" && Array.isArray(body.data)
        ? {
            ...body,
            data: (body.data as Body[]).map((each) => {
              const events = each.events as readonly string[];
              return events.length > 1 ? { ...each, events: events.slice(0, -1) } : each;
            }),
          }
        : body,
    ),
  ),
  single("deleted-webhook-listed", "4.10/1", "A webhook that was deleted stays in the list", {
    door: () => ({ removeWebhook: (inside, removed) => inside.deliveries.forget(removed) }),
  }),
  single(
    "unknown-webhook-deleted",
    "4.10/3",
    "Deleting an unknown webhook is answered 200",
    status("webhook_not_found", 200),
  ),
  single("foreign-webhook-deleted", "4.10/4", "A webhook of another wallet can be deleted", {
    door: (honest) => ({
      owns: (owner, wallet, purpose) => purpose === "delete" || honest.owns(owner, wallet, purpose),
    }),
  }),
  sequence("webhook-deleted-again", "4.10/5", "Deleting a webhook again is answered as the first time", () => {
    const gone = new Set<string>();
    return answers((answer, { method, target }) => {
      if (method !== "DELETE") return answer;
      if (answer.status < 300) gone.add(target);
      return answer.status === 404 && gone.has(target) ? { ...answer, status: 200, text: '{"deleted":true}' } : answer;
    });
  }),
  sequence("deleted-webhook-still-hears", "4.10/6", "A webhook that was deleted is still sent events", {
    door: (honest) => ({
      removeWebhook: () => {},
      listedWebhooks: (inside, wallet) =>
        honest.listedWebhooks(inside, wallet).filter(({ id }) => !deletedIn(inside).has(id)),
    }),
    middleware: (inside) => (request, response, next) => {
      const id = /^\/v1\/webhooks\/(\w+)$/.exec(request.target)?.[1];
      const known = id !== undefined && deletedIn(inside).has(id);
      if (request.method === "DELETE" && id !== undefined && !known) deletedIn(inside).add(id);
      return next(known ? { ...request, target: "/v1/webhooks/wh_unknown" } : request, response);
    },
  }),
  sequence(
    "deleted-webhook-retried",
    "4.10/7",
    "Attempts that were still to come outlive the deletion of their webhook",
    {
      door: () => ({ removeWebhook: (inside, removed) => inside.webhooks.remove(removed) }),
    },
  ),
];

const deleted = new WeakMap<object, Set<string>>();
/** Webhooks that are said to be deleted. */
function deletedIn(inside: object): Set<string> {
  const found = deleted.get(inside) ?? new Set<string>();
  deleted.set(inside, found);
  return found;
}

/** Changes the receipt header of that name, where it is there; `undefined` leaves it out. */
const header = (
  name: string,
  change: (value: string, ...given: Parameters<import("../facade/index.ts").Door["receipt"]>) => string | undefined,
) =>
  receipt((headers, inside, subject) => {
    const full = `${inside.brand.headerPrefix}${name}`;
    if (headers[full] === undefined) return headers;
    const { [full]: value, ...rest } = headers;
    const changed = change(String(value), inside, subject);
    return changed === undefined ? rest : { ...rest, [full]: changed };
  });

export const section4Receipts = [
  single(
    "receipt-without-job",
    "4.11/1",
    "A completion's receipt does not name its job",
    header("job-id", () => undefined),
  ),
  single(
    "receipt-without-lock",
    "4.11/2",
    "A completion's receipt does not name the escrow lock",
    header("tx-hash", () => undefined),
  ),
  single(
    "receipt-without-settlement",
    "4.11/3",
    "A completion in one piece does not name its settlement",
    header("settlement-tx", (value, _inside, { moment }) => (moment === "whole" ? undefined : value)),
  ),
  single(
    "receipt-without-worker",
    "4.11/4",
    "A completion's receipt does not name the worker",
    header("worker", () => undefined),
  ),
  single(
    "receipt-without-balance",
    "4.11/5",
    "A completion's receipt does not tell the balance",
    header("credits-remaining", (value, _inside, { job }) => (job === undefined ? value : undefined)),
  ),
  single(
    "receipt-lock-is-settlement",
    "4.11/6",
    "The receipt takes the settlement for the escrow lock",
    header("tx-hash", (value, inside, { job }) => {
      const { settlementTx } = view(inside, job!);
      return settlementTx === 0 ? value : inside.network.chain.hash(settlementTx);
    }),
  ),
  sequence("receipt-worker-before", "4.11/6", "The receipt names the worker of the job before", () => {
    let before: string | undefined;
    return header("worker", (value) => {
      const told = before ?? value;
      before = value;
      return told;
    });
  }),
  single(
    "receipt-balance-before-charge",
    "4.11/7",
    "The receipt tells the balance as it was before the charge",
    header("credits-remaining", (value, inside, { job }) =>
      job === undefined ? value : String(Number(value) + view(inside, job).charged),
    ),
  ),
  sequence(
    "receipt-balance-without-difference",
    "4.11/7",
    "The receipt's balance lacks the difference that came back",
    header("credits-remaining", (value, inside, { job }) =>
      job === undefined
        ? value
        : String(Number(value) - (view(inside, job).settlementTx === 0 ? 0 : view(inside, job).returned)),
    ),
  ),
  sequence(
    "receipt-balance-of-request-before",
    "4.11/7",
    "Answers that made no job tell the balance of the answer before",
    () => {
      const last = new Map<number, string>();
      return header("credits-remaining", (value, _inside, { key, job }) => {
        const before = last.get(key!.wallet);
        last.set(key!.wallet, value);
        return job === undefined ? (before ?? value) : value;
      });
    },
  ),
  single(
    "receipt-of-no-job",
    "4.11/9",
    "Every answer names a job, be there one or not",
    receipt((headers, inside, { job }) => ({
      ...headers,
      ...(job === undefined ? { [`${inside.brand.headerPrefix}job-id`]: inside.jobs.idOf(1_000_000) } : {}),
    })),
  ),
  single(
    "receipt-hash-cut",
    "4.11/10",
    "Hashes in receipts are abbreviated",
    header("tx-hash", (value) => `${value.slice(0, 10)}...${value.slice(-4)}`),
  ),
  boundary(
    "receipt-balance-in-groups",
    "4.11/10",
    "Balances of a thousand and more are written in groups",
    header("credits-remaining", (value) => (value.length > 3 ? `${value.slice(0, -3)},${value.slice(-3)}` : value)),
  ),
  single(
    "stream-without-receipt",
    "4.11/11",
    "A stream has no receipt headers",
    receipt((headers, _inside, { moment }) => (moment === "head" ? {} : headers)),
  ),
  sequence(
    "timeout-receipt-of-another",
    "4.11/12",
    "The receipt of a 504 names another job",
    header("job-id", (value, inside, { job }) =>
      job !== undefined && view(inside, job).status === "refunded" ? inside.jobs.of(job.wallet)[0]!.id : value,
    ),
  ),
];
