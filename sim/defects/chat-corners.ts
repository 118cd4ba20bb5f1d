/** Defects in corners of the chat (sections 1, 4.1) and of its receipts (4.11) that plain requests do not come near. */
import { send } from "../facade/http.ts";
import type { Changes } from "../facade/index.ts";
import { type Body, bodyOf, requests } from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";

const error = (code: string, param: string | null): Body => ({
  error: { code, message: "It cannot be done.", type: "request_error", param, docs: "https://docs.example/errors" },
});

const messagesOf = (body: Body | undefined): readonly unknown[] =>
  Array.isArray(body?.messages) ? (body.messages as readonly unknown[]) : [];
const roleOf = (message: unknown): unknown => (message as { role?: unknown } | null)?.role;

/** Answers some chats by itself. */
const instead = (answer: (body: Body) => { readonly status: number; readonly body: Body } | undefined): Changes => ({
  middleware: () => (request, response, next) => {
    const body = bodyOf(request);
    const given = body === undefined ? undefined : answer(body);
    return given === undefined ? next(request, response) : send(response, given);
  },
});

export const chatCorners = [
  single(
    "one-system-message",
    "1/11",
    "A second system message is refused",
    instead((body) =>
      messagesOf(body).filter((message) => roleOf(message) === "system").length > 1
        ? { status: 400, body: error("invalid_request", "messages") }
        : undefined,
    ),
  ),
  boundary(
    "many-turns-crash",
    "4.1/3",
    "A conversation of more than twenty messages is answered with a 500",
    instead((body) =>
      messagesOf(body).length > 20 ? { status: 500, body: error("internal_error", null) } : undefined,
    ),
  ),
  single(
    "unmet-stop-shortens",
    "4.1/11",
    "With `stop` a text ends after twelve tokens, whether it met the sequence or not",
    requests((body) =>
      body.stop === undefined || body.stop === null
        ? body
        : { ...body, max_tokens: Math.min(Number(body.max_tokens ?? 12), 12) },
    ),
  ),
  sequence(
    "receipt-of-a-job-read-is-stale",
    "4.11/7",
    "Reading a job tells the balance as it was at the answer before",
    {
      middleware: ({ brand }) => {
        const name = `${brand.headerPrefix}credits-remaining`;
        let last: string | undefined;
        return (request, response, next) =>
          next(request, {
            head(status, headers) {
              const reads = /^\/v1\/jobs\/[^/?]+$/.test(request.target) && headers[name] !== undefined;
              response.head(status, reads && last !== undefined ? { ...headers, [name]: last } : headers);
              last = headers[name] === undefined ? last : String(Number(headers[name]) + 1);
            },
            write: (part) => response.write(part),
            end: (trailers) => response.end(trailers),
            cut: () => response.cut(),
          });
      },
    },
  ),
];
