/**
 * The world as a bench for clients: each client that uses it is given every lesson once, a fault that the contract allows, and is graded from outside
 * by what it does next. It stands at the edge of the service like a planted defect, and the honest service has no branch for it.
 */

import { send } from "../facade/http.ts";
import type { FacadeRequest, FacadeResponse, Inside, Middleware, Override } from "../facade/index.ts";
import { bodyOf } from "../facade/overrides.ts";
import type { Network, Submission } from "../port.ts";
import { type Ask, type Asks, createAsks } from "./asks.ts";
import { type Answers, accepted, forgeriesOf, type Signer, tryReceiver, webhookGrades } from "./forgeries.ts";
import type { Grade } from "./grade.ts";

export interface GradingOptions {
  /** Milliseconds on the clock that clients wait by. */
  readonly now: () => number;
  /** What a 503 tells clients to wait. Default 2. */
  readonly retryAfterSeconds?: number;
}

export interface Grading {
  readonly override: Override;
  /** Grades of every client seen so far: by client in order of appearance, then by lesson. */
  grades(): readonly Grade[];
}

/** Output tokens that no worker makes within 120 seconds. */
const ENDLESS = 60_000;
/** Parts of a stream that arrive before it breaks. */
const PARTS = 3;

export function createGrading({ now, retryAfterSeconds = 2 }: GradingOptions): Grading {
  const clients = new Map<number, Asks>();
  const receivers = new Map<string, Answers>();
  let inside: Inside | undefined;
  /** The question that is being submitted: everything up to a job's submission happens while its request is served. */
  let serving: Ask | null = null;
  /** A submission whose job is made to run into its time-out, as it came. */
  let slowed: Submission | null = null;

  const clientOf = (wallet: number): Asks => {
    const known = clients.get(wallet);
    if (known !== undefined) return known;
    const made = createAsks();
    clients.set(wallet, made);
    return made;
  };
  const addressOf = (wallet: number): string => inside!.network.walletAddress(wallet);

  const middleware = (given: Inside): Middleware => {
    inside = given;
    return (request, response, next) => {
      const path = request.target.split("?", 1)[0] ?? "";
      const { method, headers } = request;
      const key = given.door.authenticate(given, headers.authorization, { method, path });
      if ("code" in key) return next(request, response);
      const client = clientOf(key.wallet);
      if (method === "GET" && /^\/v1\/(jobs|account)/.test(path)) client.look();
      if (method !== "POST") return next(request, response);
      if (path !== "/v1/chat/completions") return next(request, noting(request, response, client));
      return chat(given, client, request, response, next);
    };
  };

  function chat(
    given: Inside,
    client: Asks,
    request: FacadeRequest,
    response: FacadeResponse,
    next: Parameters<Middleware>[2],
  ): ReturnType<Middleware> {
    const body = bodyOf(request);
    const { ask, first } = client.come(request.body, body?.stream === true, now());
    const failed = (): void => {
      ask.failedAt ??= now();
    };
    const refuse = (refusal: Parameters<typeof given.door.refuse>[1]) => {
      failed();
      return send(response, given.door.refuse(given, refusal));
    };
    const submitted = (to: FacadeResponse): ReturnType<Middleware> => {
      serving = ask;
      try {
        return next(request, to);
      } finally {
        serving = null;
      }
    };
    if (!first || ask.lesson === null) return submitted(noting(request, response, client));
    switch (ask.lesson) {
      case "busy":
        return refuse({
          status: 503,
          code: "no_workers_available",
          message: "No worker hosts this model now.",
          details: { model: body?.model, retry_after: retryAfterSeconds },
        });
      case "refused":
        return refuse({
          status: 400,
          code: "context_length_exceeded",
          message: "The conversation is longer than the model's context window.",
          param: "messages",
        });
      case "timeout":
        return submitted(watched(response, failed));
      case "lost":
        return submitted(swallowed(response, 0, failed));
      case "cut":
        return submitted(swallowed(response, PARTS, failed));
    }
  }

  /** Notes an answer with a 4xx, of which 429 alone may be sent again unchanged. */
  function noting(request: FacadeRequest, response: FacadeResponse, client: Asks): FacadeResponse {
    return {
      ...response,
      head(status, headers) {
        if (status >= 400 && status < 500 && status !== 429) {
          client.refused(`${request.method} ${request.target} ${Buffer.from(request.body).toString("base64")}`);
        }
        response.head(status, headers);
      },
    };
  }

  const signer = (): Signer => ({
    header: inside!.brand.signatureHeader,
    sign: inside!.door.signature,
    unixTime: () => Math.floor((inside!.epochMs + inside!.network.now / 1_000) / 1_000),
  });

  return {
    override: {
      middleware,
      // What is given to wait for is locked as what was asked for, and never charged.
      rules: (honest) => ({
        estimate: (tier, maxTokens, expected) =>
          slowed === null
            ? honest.estimate(tier, maxTokens, expected)
            : honest.estimate(tier, slowed.maxTokens, slowed.outputTokens),
      }),
      network: (honest) =>
        Object.assign(Object.create(honest) as Network, {
          submit(submission, listener) {
            const ask = serving;
            const slow = ask?.lesson === "timeout" && ask.jobs.length === 0;
            slowed = slow ? submission : null;
            const sent = slow ? { ...submission, outputTokens: ENDLESS, maxTokens: -1 } : submission;
            const result = honest.submit(sent, listener);
            slowed = null;
            if (result.ok) ask?.jobs.push(result.job);
            return result;
          },
        } satisfies Partial<Network>),
      deliver: (honest) => (delivery, done) =>
        honest(delivery, (outcome) => {
          done(outcome);
          const webhook = inside?.webhooks.all().find(({ url }) => url === delivery.url);
          if (webhook === undefined) return;
          const known = receivers.get(webhook.id);
          if (known !== undefined && accepted(known.genuine)) return;
          const answers: Answers = {
            client: addressOf(webhook.wallet),
            genuine: outcome,
            repeat: null,
            forged: new Map(),
          };
          receivers.set(webhook.id, answers);
          if (accepted(outcome)) {
            tryReceiver(honest, delivery, forgeriesOf(delivery, signer(), webhook.secret), answers);
          }
        }),
    },
    grades() {
      const { network } = inside!;
      return [...clients].flatMap(([wallet, asks]) => {
        const client = addressOf(wallet);
        const chats = asks.grades(client, network, retryAfterSeconds * 1_000);
        const own = [...receivers.values()].filter((each) => each.client === client).flatMap(webhookGrades);
        const seen = "needs a webhook of this client, and an event";
        const none = (["repeat", "forgery"] as const).map(
          (lesson): Grade => ({ client, lesson, verdict: "not tried", seen }),
        );
        return [...chats, ...(own.length > 0 ? own : none)];
      });
    },
  };
}

/** An answer that is let through; `ended` hears of its beginning. */
function watched(response: FacadeResponse, ended: () => void): FacadeResponse {
  return {
    ...response,
    head(status, headers) {
      ended();
      response.head(status, headers);
    },
  };
}

/** An answer of which only so many parts arrive: then the connection breaks, while the job goes on to its end. */
function swallowed(response: FacadeResponse, parts: number, ended: () => void): FacadeResponse {
  let left = parts;
  let broken = false;
  const breakOff = (): void => {
    if (broken) return;
    broken = true;
    ended();
    response.cut();
  };
  return {
    head(status, headers) {
      if (parts > 0) response.head(status, headers);
    },
    write(part) {
      if (broken) return;
      if (left-- > 0) response.write(part);
      else breakOff();
    },
    end: breakOff,
    cut: breakOff,
  };
}
