/**
 * What defects and variants are made with: one helper for each place where the simulated service can be changed.
 */

import type { JobListener, JobView, Network, ServiceEvent, Submission } from "../port.ts";
import { honestRules, type Rules } from "../rules.ts";
import type { Door } from "./door.ts";
import { bytes, type FacadeRequest, isObject, parseJson, send } from "./http.ts";
import type { Inside } from "./inside.ts";
import type { Changes } from "./service.ts";

/** A JSON object on its way out. */
export type Body = Readonly<Record<string, unknown>>;

// --- what the service says

/** The functions of the door that make a JSON object. */
type BodyMaker = {
  [K in keyof Door]: Door[K] extends (...given: never[]) => Body ? K : never;
}[keyof Door];

/** Changes what one of the door's functions makes. */
function altering<K extends BodyMaker>(name: K) {
  type Make = (...given: Parameters<Door[K]>) => Body;
  return (change: (body: Body, ...given: Parameters<Door[K]>) => Body): Changes => ({
    door: (honest) => ({
      [name]: (...given: Parameters<Door[K]>) => change((honest[name] as unknown as Make)(...given), ...given),
    }),
  });
}

export const account = altering("accountBody");
export const model = altering("modelBody");
export const job = altering("jobBody");
export const completion = altering("chatBody");
export const chunk = altering("chunkBody");
export const webhook = altering("webhookBody");
export const receipt = altering("receipt");
export const envelope = altering("envelope");
export const disputed = altering("disputeBody");

/** Changes the data of one event. */
export function eventData(event: ServiceEvent["event"], change: (data: Body, inside: Inside) => Body): Changes {
  return {
    door: (honest) => ({
      eventData: (inside, subject) => {
        const data = honest.eventData(inside, subject);
        return subject.event === event ? change(data, inside) : data;
      },
    }),
  };
}

/** Changes the error object of one code, or of all where `code` is undefined. */
export function failure(code: string | undefined, change: (error: Body, inside: Inside) => Body): Changes {
  return {
    door: (honest) => ({
      refuse(inside, refusal) {
        const answer = honest.refuse(inside, refusal);
        if (code !== undefined && refusal.code !== code) return answer;
        return { ...answer, body: { error: change((answer.body as { error: Body }).error, inside) } };
      },
    }),
  };
}

/** Changes the status of refusals with this code. */
export function status(code: string, instead: number): Changes {
  return {
    door: (honest) => ({
      refuse: (inside, refusal) =>
        honest.refuse(inside, refusal.code === code ? { ...refusal, status: instead } : refusal),
    }),
  };
}

/** A body with fields of one of its objects changed; left alone where that object is not there. */
export function within(body: Body, name: string, change: (inner: Body) => Body): Body {
  const inner = body[name];
  return typeof inner === "object" && inner !== null ? { ...body, [name]: change(inner as Body) } : body;
}

/** A body without a field. */
export function without(body: Body, name: string): Body {
  const { [name]: _, ...rest } = body;
  return rest;
}

// --- what goes over the wire

/** An answer in one piece. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where the answer has no body. */
  readonly text: string;
}

/** Changes answers that are not streams. */
export function answers(change: (answer: WholeAnswer, request: FacadeRequest, inside: Inside) => WholeAnswer): Changes {
  return {
    middleware: (inside) => (request, response, next) => {
      const parts: Uint8Array[] = [];
      let head: Omit<WholeAnswer, "text"> | undefined;
      return next(request, {
        head(status, headers) {
          if (headers["content-type"]?.startsWith("text/event-stream")) response.head(status, headers);
          else head = { status, headers };
        },
        write: (part) => void (head === undefined ? response.write(part) : parts.push(part)),
        end(trailers) {
          if (head !== undefined) {
            const { status, headers, text } = change(
              { ...head, text: Buffer.concat(parts).toString() },
              request,
              inside,
            );
            const body = bytes(text);
            response.head(status, { ...headers, ...(text === "" ? {} : { "content-length": String(body.length) }) });
            if (text !== "") response.write(body);
          }
          response.end(trailers);
        },
        cut: () => response.cut(),
      });
    },
  };
}

/** Changes the JSON of answers that are not streams. */
export function bodies(change: (body: Body, request: FacadeRequest, inside: Inside) => unknown): Changes {
  return answers((answer, request, inside) =>
    answer.text === ""
      ? answer
      : { ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as Body, request, inside)) },
  );
}

/** Changes the JSON bodies of requests before the door sees them. */
export function requests(change: (body: Body, request: FacadeRequest, inside: Inside) => Body): Changes {
  return {
    middleware: (inside) => (request, response, next) => {
      const body = bodyOf(request);
      if (body === undefined) return next(request, response);
      return next({ ...request, body: bytes(JSON.stringify(change(body, request, inside))) }, response);
    },
  };
}

/** The JSON object in a request, undefined where there is none. */
export function bodyOf(request: FacadeRequest): Body | undefined {
  if (request.body.length === 0) return undefined;
  const parsed = parseJson(request.body);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** Answers some requests of valid keys by itself: `answer` gives the status and JSON, or undefined to let the request through. */
export function instead(
  answer: (request: FacadeRequest, inside: Inside) => { readonly status: number; readonly body: unknown } | undefined,
): Changes {
  return {
    middleware: (inside) => (request, response, next) => {
      const { method, target, headers } = request;
      const key = inside.door.authenticate(inside, headers.authorization, { method, path: target.split("?", 1)[0]! });
      const given = "code" in key ? undefined : answer(request, inside);
      return given === undefined ? next(request, response) : send(response, given);
    },
  };
}

/** What the request that is being served says: everything up to a job's submission happens while it is. */
export function watch(): { readonly streams: () => boolean; readonly middleware: NonNullable<Changes["middleware"]> } {
  let body: Body | undefined;
  return {
    streams: () => body?.stream === true,
    middleware: () => (request, response, next) => {
      body = bodyOf(request);
      try {
        return next(request, response);
      } finally {
        body = undefined;
      }
    },
  };
}

// --- the world behind the door

/** Overrides parts of the network; everything else is asked of the honest one. */
export function network(change: (honest: Network) => Partial<Network>): Changes {
  return { network: (honest) => Object.assign(Object.create(honest) as Network, change(honest)) };
}

/** The promises of the world, some of them broken. */
export function rules(change: (honest: Rules) => Partial<Rules>): Changes {
  return { rules: change };
}

/** Shows jobs otherwise than they are. */
export function jobViews(change: (job: JobView, honest: Network) => Partial<JobView>): Changes {
  return network((honest) => ({
    job(number) {
      const view = honest.job(number);
      return view === undefined ? undefined : (Object.assign(Object.create(view), change(view, honest)) as JobView);
    },
  }));
}

/** Events that the door never hears of. */
export function mute(silenced: (event: ServiceEvent, honest: Network) => boolean): Changes {
  return network((honest) => ({
    onEvent: (listener) => honest.onEvent((event) => (silenced(event, honest) ? undefined : listener(event))),
  }));
}

/** Events that are told otherwise, or more of them. */
export function retell(change: (event: ServiceEvent, honest: Network) => readonly ServiceEvent[]): Changes {
  return network((honest) => ({
    onEvent: (listener) => honest.onEvent((event) => change(event, honest).forEach(listener)),
  }));
}

/** A listener that hears first what is given, then what it would have. */
export function alsoHears(listener: JobListener, also: JobListener): JobListener {
  const names = ["locked", "processing", "firstToken", "lastToken", "settled", "failed", "refunded"] as const;
  const both = names.map((name) => [
    name,
    (job: JobView) => {
      also[name]?.(job);
      listener[name]?.(job);
    },
  ]);
  return Object.fromEntries(both) as JobListener;
}

/** Units that leave wallets, or come to them where negative, without any transaction. */
export function leak(): {
  take(wallet: number, units: number): void;
  /** The network with the leak in it; `also` hears of every job. */
  network(also?: (request: Submission, honest: Network) => JobListener): NonNullable<Changes["network"]>;
} {
  const taken = new Map<number, number>();
  return {
    take: (wallet, units) => void taken.set(wallet, (taken.get(wallet) ?? 0) + units),
    network: (also) => (honest) => {
      const available = (wallet: number): number => Math.max(0, honest.available(wallet) - (taken.get(wallet) ?? 0));
      return Object.assign(Object.create(honest) as Network, {
        available,
        submit(request: Submission, listener: JobListener) {
          const { tier } = honest.models[request.model]!;
          const required = honestRules.estimate(tier, request.maxTokens, request.outputTokens);
          const remaining = available(request.wallet);
          if (taken.has(request.wallet) && remaining < required) {
            return { ok: false, error: "insufficient_credits", remaining, required };
          }
          return honest.submit(request, also === undefined ? listener : alsoHears(listener, also(request, honest)));
        },
      } satisfies Partial<Network>);
    },
  };
}
