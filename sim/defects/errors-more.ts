/** Defects in errors that hide: for one code, one form, one place of the conversation, the second time (section 7). */
import { SECOND } from "../core/index.ts";
import type { Changes } from "../facade/index.ts";
import { type Body, bodyOf, failure, instead, network, requests, watch, within, without } from "../facade/overrides.ts";
import { countPromptTokens } from "../facade/text.ts";
import { boundary, sequence, single } from "./defect.ts";

/** Changes the details of one code. */
const details = (code: string, change: (details: Body) => Body): Changes =>
  failure(code, (error) => within(error, "details", change));

interface Message {
  readonly role: string;
  readonly content: string;
}

/** Counts some of the messages only. */
const countsOnly =
  (counted: (messages: readonly Message[]) => readonly Message[]): (() => Changes) =>
  () => {
    let tokens = 0;
    return {
      middleware: () => (request, response, next) => {
        const messages = bodyOf(request)?.messages;
        tokens = Array.isArray(messages) ? countSafely(counted(messages as Message[])) : 0;
        return next(request, response);
      },
      door: (honest) => ({
        fitsContext: (inside, model, _tokens, bound) => honest.fitsContext(inside, model, tokens, bound),
      }),
    };
  };

const countSafely = (messages: readonly Message[]): number =>
  countPromptTokens(messages.filter((message) => typeof message?.content === "string"));

/** Closes the connection where the answer would have this status. */
const hangsUp = (status: number): Changes => ({
  middleware: () => (request, response, next) => {
    let gone = false;
    return next(request, {
      head(given, headers) {
        gone = given === status;
        if (gone) response.cut();
        else response.head(given, headers);
      },
      write: (part) => void (gone || response.write(part)),
      end: (trailers) => void (gone || response.end(trailers)),
      cut: () => void (gone || response.cut()),
    });
  },
});

export const moreErrors = [
  single("hangs-up-without-units", "7/1", "Who has too few units finds the connection closed", hangsUp(402)),
  single(
    "hangs-up-without-workers",
    "7/1",
    "Who asks for a model that nobody hosts finds the connection closed",
    hangsUp(503),
  ),
  boundary(
    "hangs-up-after-the-window",
    "7/1",
    "A dispute that comes too late finds the connection closed",
    hangsUp(422),
  ),
  boundary("not-found-without-docs", "7/3", "A 404 has no `docs`", {
    door: (honest) => ({
      refuse(inside, refusal) {
        const answer = honest.refuse(inside, refusal);
        if (refusal.status !== 404) return answer;
        return { ...answer, body: { error: without((answer.body as { error: Body }).error, "docs") } };
      },
    }),
  }),
  boundary(
    "unauthorised-without-param",
    "7/4",
    "A 401 has no `param`",
    failure("invalid_api_key", (error) => without(error, "param")),
  ),
  boundary(
    "timeout-code-is-a-number",
    "7/2",
    "The code of a 504 is 504",
    failure("job_timeout", (error) => ({ ...error, code: 504 })),
  ),
  boundary("poor-details-without-tier-in-streams", "7.2/1", "A stream's 402 names no tier", () => {
    const { streams, middleware } = watch();
    return {
      middleware,
      door: (honest) => ({
        refuse(inside, refusal) {
          const answer = honest.refuse(inside, refusal);
          if (refusal.code !== "insufficient_credits" || !streams()) return answer;
          const { error } = answer.body as { error: Body };
          return { ...answer, body: { error: within(error, "details", (all) => without(all, "tier")) } };
        },
      }),
    };
  }),
  sequence("poor-balance-before-topup", "7.2/2", "A 402 tells the balance that was before the last top-up", () => {
    const bought = new Map<number, number>();
    return network((honest) => ({
      topUp(wallet, units) {
        bought.set(wallet, units);
        honest.topUp(wallet, units);
      },
      submit(request, listener) {
        const result = honest.submit(request, listener);
        if (result.ok || result.error !== "insufficient_credits") return result;
        const remaining = Math.max(0, result.remaining - (bought.get(request.wallet) ?? 0));
        return { ...result, remaining };
      },
    }));
  }),
  boundary("model-by-its-beginning", "7.2/3", "A model is found by the beginning of its id", {
    middleware: (inside) => (request, response, next) => {
      const body = bodyOf(request);
      const { models } = inside.network;
      const asked = body?.model;
      if (typeof asked !== "string" || asked === "" || models.some(({ id }) => id === asked))
        return next(request, response);
      const found = models.find(({ id }) => id.startsWith(asked));
      const replaced = found === undefined ? body : { ...body, model: found.id };
      return next({ ...request, body: new TextEncoder().encode(JSON.stringify(replaced)) }, response);
    },
  }),
  single("streams-fall-back", "7.2/3", "A stream of an unknown model comes from the first model", () => ({
    middleware: (inside) => (request, response, next) => {
      const body = bodyOf(request);
      const { models } = inside.network;
      if (body?.stream !== true || typeof body.model !== "string" || models.some(({ id }) => id === body.model)) {
        return next(request, response);
      }
      const replaced = { ...body, model: models[0]!.id };
      return next({ ...request, body: new TextEncoder().encode(JSON.stringify(replaced)) }, response);
    },
  })),
  boundary(
    "retry-after-fraction",
    "7.2/5",
    "`retry_after` is 2.5",
    details("no_workers_available", (all) => ({ ...all, retry_after: 2.5 })),
  ),
  sequence(
    "returned-model-refuses-streams",
    "7.2/7",
    "A model that is hosted again answers no stream for five minutes",
    () => {
      const { streams, middleware } = watch();
      const until = new Map<number, number>();
      return {
        middleware,
        ...network((honest) => ({
          setBehaviour(model, behaviour) {
            if (honest.behaviour(model) === "absent" && behaviour !== "absent")
              until.set(model, honest.now + 300 * SECOND);
            honest.setBehaviour(model, behaviour);
          },
          submit: (request, listener) =>
            streams() && honest.now < (until.get(request.model) ?? 0)
              ? { ok: false, error: "no_workers_available", retryAfterSeconds: 10 }
              : honest.submit(request, listener),
        })),
      };
    },
  ),
  boundary(
    "context-of-last-message",
    "7.2/12",
    "Only the last message counts against the context window",
    countsOnly((messages) => messages.slice(-1)),
  ),
  boundary(
    "context-without-system",
    "7.2/12",
    "A system prompt does not count against the context window",
    countsOnly((messages) => messages.filter(({ role }) => role !== "system")),
  ),
  boundary(
    "context-message-by-message",
    "7.2/12",
    "Each message by itself is held against the context window",
    countsOnly((messages) =>
      [...messages].sort((a, b) => String(b.content).length - String(a.content).length).slice(0, 1),
    ),
  ),
  boundary("context-one-more", "7.2/12", "A prompt of one token more than the window is let in", {
    door: (honest) => ({
      fitsContext: (inside, model, tokens, bound) => honest.fitsContext(inside, model, Math.max(0, tokens - 1), bound),
    }),
  }),
  boundary("context-one-less", "7.2/13", "A prompt that fills the window is refused", {
    door: (honest) => ({
      fitsContext: (inside, model, tokens, bound) => honest.fitsContext(inside, model, tokens + 9, bound),
    }),
  }),
  boundary("one-window-for-all", "7.2/12", "The widest window is that of all models", {
    door: () => ({
      fitsContext: ({ network: { models } }, _model, tokens) =>
        tokens <= Math.max(...models.map(({ contextWindow }) => contextWindow)),
    }),
  }),
  sequence("second-refund-frozen", "7.3/5", "Units that were refunded twice can be spent a minute later only", () => {
    const refunds = new Map<number, { count: number; until: number }>();
    return network((honest) => ({
      submit(request, listener) {
        const { wallet } = request;
        const known = refunds.get(wallet);
        const remaining = honest.available(wallet);
        if (known !== undefined && known.count > 1 && honest.now < known.until) {
          return { ok: false, error: "insufficient_credits", remaining, required: remaining + 1 };
        }
        return honest.submit(request, {
          ...listener,
          refunded(job) {
            refunds.set(wallet, { count: (known?.count ?? 0) + 1, until: honest.now + 60 * SECOND });
            listener.refunded?.(job);
          },
        });
      },
    }));
  }),
  single("late-dispute-is-409", "7.1/5", "A late dispute is answered 409", {
    door: (honest) => ({
      refuse: (inside, refusal) =>
        honest.refuse(inside, refusal.code === "dispute_window_expired" ? { ...refusal, status: 409 } : refusal),
    }),
  }),
  sequence("matching-dispute-extends-window", "7.2/18", "A dispute with the right hash opens the window anew", () => {
    const asked = new Map<number, number>();
    return network((honest) => ({
      dispute(number, differ) {
        const result = honest.dispute(number, differ);
        if (result.ok) asked.set(number, honest.now);
        const again =
          !result.ok && result.error === "window_expired" && honest.now - (asked.get(number) ?? -1e15) < 120 * SECOND;
        return again ? { ok: true, opened: differ, tx: differ ? honest.job(number)!.proofTx : 0 } : result;
      },
    }));
  }),
  boundary(
    "strange-webhook-500",
    "7.1/8",
    "A webhook whose `url` is an object is answered 500",
    instead((request) =>
      request.method === "POST" && request.target === "/v1/webhooks" && typeof bodyOf(request)?.url === "object"
        ? {
            status: 500,
            body: {
              error: {
                code: "internal",
                message: "url.startsWith",
                type: "server_error",
                param: null,
                docs: "https://docs.example",
              },
            },
          }
        : undefined,
    ),
  ),
  sequence("refused-for-length-pays", "1/3", "A request refused for its length has paid a unit", () => {
    const taken = new Map<number, number>();
    return {
      door: (honest) => ({
        refuse(inside, refusal) {
          if (refusal.code === "context_length_exceeded")
            for (const [wallet, units] of taken) taken.set(wallet, units + 1);
          return honest.refuse(inside, refusal);
        },
        balance: (inside, wallet) => honest.balance(inside, wallet) - (taken.get(wallet) ?? 0),
        accountBody(inside, key) {
          if (!taken.has(key.wallet)) taken.set(key.wallet, 0);
          const body = honest.accountBody(inside, key);
          const left = Number(body.credits_remaining) - (taken.get(key.wallet) ?? 0);
          return { ...body, credits_remaining: left, usdg_value: left / 100 };
        },
      }),
    };
  }),
  single("trailing-comma-read", "7.1/1", "JSON with a trailing comma is read", {
    middleware: () => (request, response, next) => {
      const text = new TextDecoder().decode(request.body);
      const mended = text.replace(/,\s*([}\]])/g, "$1");
      return next(mended === text ? request : { ...request, body: new TextEncoder().encode(mended) }, response);
    },
  }),
  boundary(
    "missing-secret-unnamed",
    "7.1/2",
    "A webhook without `secret` is refused with another field's name",
    failure("invalid_request", (error) => (error.param === "secret" ? { ...error, param: "url" } : error)),
  ),
  sequence("third-try-accepted", "7.3/4", "A value out of range is taken at the third try", () => {
    const tries = new Map<string, number>();
    return requests((body) => {
      const told = JSON.stringify(body);
      const count = (tries.get(told) ?? 0) + 1;
      tries.set(told, count);
      return count > 2 && Number(body.temperature) > 2 ? { ...body, temperature: 2 } : body;
    });
  }),
];
