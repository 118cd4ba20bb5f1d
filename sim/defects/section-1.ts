/** Defects in what section 1 promises: the service as a whole. */
import { HOUR } from "../core/index.ts";
import { bodyOf, instead, leak, network, requests, rules } from "../facade/overrides.ts";
import { sequence, single } from "./defect.ts";

const CHAT = "/v1/chat/completions";
const invalid = (message: string, param: string | null = null) => ({
  status: 400,
  body: {
    error: {
      code: "invalid_request",
      message,
      type: "invalid_request_error",
      param,
      docs: "https://docs.service.example",
    },
  },
});

export const section1 = [
  sequence(
    "equal-requests-share-a-job",
    "1/2",
    "A request equal to the one before is answered with that one's completion",
    {
      middleware: () => {
        const answered = new Map<
          string,
          { status: number; headers: Readonly<Record<string, string>>; parts: Uint8Array[] }
        >();
        return (request, response, next) => {
          const body = bodyOf(request);
          if (request.target !== CHAT || body === undefined || body.stream === true) return next(request, response);
          const name = `${request.headers.authorization} ${JSON.stringify(body)}`;
          const before = answered.get(name);
          if (before !== undefined) {
            response.head(before.status, before.headers);
            for (const part of before.parts) response.write(part);
            response.end();
            return { abort() {} };
          }
          const parts: Uint8Array[] = [];
          return next(request, {
            head(status, headers) {
              if (status === 200) answered.set(name, { status, headers, parts });
              response.head(status, headers);
            },
            write(part) {
              parts.push(part);
              response.write(part);
            },
            end: (trailers) => response.end(trailers),
            cut: () => response.cut(),
          });
        };
      },
    },
  ),
  single("refusal-costs-a-unit", "1/3", "A request for an unknown model takes a unit from the wallet", () => {
    const { take, network } = leak();
    let asking = -1;
    return {
      network: network(),
      door: (honest) => ({
        authenticate(inside, authorization, request) {
          const key = honest.authenticate(inside, authorization, request);
          asking = "wallet" in key ? key.wallet : -1;
          return key;
        },
        refuse(inside, refusal) {
          if (refusal.code === "model_not_found" && asking >= 0) take(asking, 1);
          return honest.refuse(inside, refusal);
        },
      }),
    };
  }),
  sequence(
    "units-expire",
    "1/5",
    "A wallet loses a unit for each hour that passes",
    network((honest) => ({
      available: (wallet) => Math.max(0, honest.available(wallet) - Math.floor(honest.now / HOUR)),
    })),
  ),
  single(
    "failed-job-keeps-units",
    "1/9",
    "The units of a job that failed are not given back",
    rules(() => ({ refundOnFailure: () => 0 })),
  ),
  single(
    "failed-job-keeps-one-unit",
    "1/9",
    "A job that failed gives back all units but one",
    rules(() => ({
      refundOnFailure: (locked) => locked - 1,
    })),
  ),
  single(
    "seed-excludes-penalties",
    "1/10",
    "A request with `seed` and a penalty in one is refused",
    instead((request) => {
      const body = bodyOf(request);
      const both =
        body?.seed !== undefined && (body.frequency_penalty !== undefined || body.presence_penalty !== undefined);
      return both ? invalid("seed cannot be combined with penalties.", "seed") : undefined;
    }),
  ),
  single(
    "one-turn-only",
    "1/11",
    "A conversation of more than two messages is refused",
    instead((request) => {
      const messages = bodyOf(request)?.messages;
      return Array.isArray(messages) && messages.length > 2 ? invalid("Too many messages.", "messages") : undefined;
    }),
  ),
  single(
    "embeddings-answer",
    "1/13",
    "`POST /v1/embeddings` answers 200",
    instead((request) =>
      request.target === "/v1/embeddings" ? { status: 200, body: { object: "list", data: [] } } : undefined,
    ),
  ),
  single(
    "openai-ids-work",
    "1/16",
    "OpenAI model ids are taken for the first model of the list",
    requests((body, _, inside) =>
      typeof body.model === "string" && /^(gpt-|o\d|chatgpt)/.test(body.model)
        ? { ...body, model: inside.network.models[0]!.id }
        : body,
    ),
  ),
  single(
    "last-model-unusable",
    "1/17",
    "The last model of the list is unknown to chat completions",
    instead((request, inside) =>
      request.target === CHAT && bodyOf(request)?.model === inside.network.models.at(-1)!.id
        ? {
            status: 400,
            body: { error: { ...invalid("There is no such model.", "model").body.error, code: "model_not_found" } },
          }
        : undefined,
    ),
  ),
];
