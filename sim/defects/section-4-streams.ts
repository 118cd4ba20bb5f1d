/** Defects in streams (section 4.1). */
import type { FacadeResponse } from "../facade/http.ts";
import { bytes } from "../facade/http.ts";
import type { Changes } from "../facade/index.ts";
import { type Body, bodyOf, chunk, job, leak, watch, within } from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";

/** Changes each event of a stream: a chunk's JSON, or `[DONE]`. */
const frames = (change: (data: string, frame: string) => string): Changes => ({
  door: (honest) => ({ frame: (inside, data) => change(data, honest.frame(inside, data)) }),
});

const isDone = (data: string): boolean => data === "[DONE]";

/** Changes the delta of a chunk. */
const delta = (change: (delta: Body, finish: string | null) => Body) =>
  chunk((body, _inside, _record, _delta, finish) => ({
    ...body,
    choices: (body.choices as readonly Body[]).map((only) => within(only, "delta", (inner) => change(inner, finish))),
  }));

/** A response whose stream is changed on its way. */
const streams = (wrap: (response: FacadeResponse) => FacadeResponse): Changes => ({
  middleware: () => (request, response, next) =>
    next(request, bodyOf(request)?.stream === true ? wrap(response) : response),
});

export const section4Streams = [
  single(
    "stream-called-text",
    "4.1/23",
    "A stream has the Content-Type text/plain",
    streams((response) => ({
      head: (status, headers) =>
        response.head(status, { ...headers, ...(status === 200 ? { "content-type": "text/plain" } : {}) }),
      write: (part) => response.write(part),
      end: (trailers) => response.end(trailers),
      cut: () => response.cut(),
    })),
  ),
  single(
    "events-without-blank-line",
    "4.1/24",
    "Events of a stream are not separated by a blank line",
    frames((data) => `data: ${data}\n`),
  ),
  single(
    "events-unprefixed",
    "4.1/24",
    "Chunks of a stream are lines of JSON, without `data:`",
    frames((data, frame) => (isDone(data) ? frame : `${data}\n\n`)),
  ),
  single(
    "first-chunk-without-role",
    "4.1/25",
    "The first chunk of a stream has no role",
    delta(({ role: _, ...rest }) => rest),
  ),
  single("first-chunk-without-content", "4.1/25", "The first chunk of a stream has a role and no content", () => {
    let held = "";
    return delta((inner) => {
      if (inner.role !== undefined) {
        held = String(inner.content);
        return { role: inner.role };
      }
      const content = held + String(inner.content ?? "");
      held = "";
      return inner.content === undefined ? inner : { ...inner, content };
    });
  }),
  single(
    "role-in-every-chunk",
    "4.1/25",
    "Every chunk with content has the role",
    delta((inner) => (inner.content === undefined ? inner : { ...inner, role: "assistant" })),
  ),
  single(
    "last-chunk-has-content",
    "4.1/26",
    "The final chunk's delta has a content",
    delta((inner, finish) => (finish === null ? inner : { ...inner, content: "" })),
  ),
  single(
    "finish-reason-on-every-chunk",
    "4.1/26",
    "Every chunk has a `finish_reason`",
    chunk((body, _inside, record) => ({
      ...body,
      choices: (body.choices as readonly Body[]).map((only) => ({ ...only, finish_reason: record.plan.finishReason })),
    })),
  ),
  single(
    "stream-without-final-chunk",
    "4.1/26",
    "A stream has no chunk with a `finish_reason`",
    frames((data, frame) => (!isDone(data) && JSON.parse(data).choices[0].finish_reason !== null ? "" : frame)),
  ),
  single(
    "stream-without-done",
    "4.1/27",
    "A stream ends without `[DONE]`",
    frames((data, frame) => (isDone(data) ? "" : frame)),
  ),
  single(
    "chunk-after-done",
    "4.1/27",
    "A chunk follows `[DONE]`",
    frames((data, frame) => (isDone(data) ? `${frame}data: {"choices":[]}\n\n` : frame)),
  ),
  single(
    "done-twice",
    "4.1/27",
    "`[DONE]` comes twice",
    frames((data, frame) => (isDone(data) ? frame + frame : frame)),
  ),
  single(
    "ping-as-data",
    "4.1/28",
    "A ping comes as a data line",
    frames((data, frame) => (isDone(data) ? `data: ping\n\n${frame}` : frame)),
  ),
  single(
    "stream-settlement-nowhere",
    "4.1/30",
    "A stream's settlement is neither told in it nor found on its job",
    () => {
      const hidden = job((body, _, record) =>
        record.streamed ? within(body, "on_chain", (chain) => ({ ...chain, settlement_tx: null })) : body,
      );
      return { ...hidden, shape: { streamSettlement: "job" as const } };
    },
  ),
  single("stream-loses-last-token", "4.1/32", "The last token of a stream is lost", {
    door: (honest) => ({
      chunkText: (plan, from, to) => (to === plan.ends.length && to > 1 ? "" : honest.chunkText(plan, from, to)),
    }),
  }),
  boundary("stream-drops-empty-lines", "4.1/32", "New paragraphs of a stream lose their empty line", {
    door: (honest) => ({ chunkText: (plan, from, to) => honest.chunkText(plan, from, to).replace("\n\n", "\n") }),
  }),
  boundary("stream-repeats-a-token", "4.1/32", "The 32nd token of a stream comes twice", {
    door: (honest) => ({
      chunkText(plan, from, to) {
        const text = honest.chunkText(plan, from, to);
        return from === 31 ? text + text : text;
      },
    }),
  }),
  single(
    "stream-refused-in-a-stream",
    "4.1/33",
    "A streamed request that is refused is answered with a stream of one error",
    streams((response) => {
      let refused = false;
      return {
        head(status, headers) {
          refused = status >= 400;
          const { "content-length": _, ...rest } = headers;
          response.head(refused ? 200 : status, refused ? { ...rest, "content-type": "text/event-stream" } : headers);
        },
        write: (part) =>
          response.write(refused ? bytes(`data: ${Buffer.from(part).toString()}\n\ndata: [DONE]\n\n`) : part),
        end: (trailers) => response.end(trailers),
        cut: () => response.cut(),
      };
    }),
  ),
  single("stream-costs-one-more", "4.1/34", "A streamed completion takes a unit more than its charge", () => {
    const { streams: asked, middleware } = watch();
    const { take, network } = leak();
    return {
      middleware,
      network: network(({ wallet }) => {
        const streamed = asked();
        return { settled: () => void (streamed && take(wallet, 1)) };
      }),
    };
  }),
  single("stream-ignores-stop", "4.1/35", "A stream does not heed `stop`", () => {
    const { streams: asked, middleware } = watch();
    return {
      middleware,
      door: (honest) => ({
        planText: (draw, length, bound, stops) => honest.planText(draw, length, bound, asked() ? [] : stops),
      }),
    };
  }),
  single("stream-ignores-max-tokens", "4.1/35", "A stream does not heed `max_tokens`", () => {
    const { streams: asked, middleware } = watch();
    return {
      middleware,
      door: (honest) => ({
        planText: (draw, length, bound, stops) => honest.planText(draw, length, asked() ? -1 : bound, stops),
      }),
      network: (honest) =>
        Object.assign(Object.create(honest), {
          submit: ((request, listener) =>
            honest.submit(asked() ? { ...request, maxTokens: -1 } : request, listener)) satisfies typeof honest.submit,
        }),
    };
  }),
  sequence("stream-worker-of-job-before", "4.11/11", "A stream tells the worker of its wallet's job before", () => {
    let before: string | undefined;
    return {
      door: (honest) => ({
        receipt(inside, subject) {
          const headers = { ...honest.receipt(inside, subject) };
          const name = `${inside.brand.headerPrefix}worker`;
          if (subject.moment !== "head" || headers[name] === undefined) return headers;
          const told = before ?? headers[name];
          before = headers[name];
          return { ...headers, [name]: told };
        },
      }),
    };
  }),
];
