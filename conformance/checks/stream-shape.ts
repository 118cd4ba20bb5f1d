/**
 * The form of a stream, judged from its bytes (sections 2.4 and 4.1): what its lines are, what its chunks hold, in which order they come and
 * how they end. Pure: one exchange in, one judgement for each rule out.
 */
import { at, type Exchange } from "../exchange/exchange.ts";
import { readStream, type Stream, type StreamEvent } from "../exchange/sse.ts";
import { type Judgement, judge } from "./monitor.ts";

/** The rows that a stream is judged by. */
export const STREAM_ROWS = [
  "2.4/8",
  "2.4/9",
  "2.4/12",
  "2.4/13",
  "2.4/14",
  "2.4/15",
  "4.1/23",
  "4.1/24",
  "4.1/25",
  "4.1/26",
  "4.1/27",
  "4.1/28",
  "4.1/29",
] as const;

const ROLE = "assistant";
const ENDINGS: readonly unknown[] = ["stop", "length"];

/** Judges a stream that came to its end. One that broke off is judged by what came, and its end not at all: `whole` is false. */
export function judgeStream(exchange: Exchange, brand: string, whole = true): readonly Judgement[] {
  const stream = readStream(exchange);
  return [
    contentType(exchange),
    ...lines(stream),
    ...chunkFields(stream),
    ...oneCompletion(stream, exchange.headers.get(`x-${brand}-job-id`)),
    ...order(stream, whole),
    ...(whole ? [end(stream)] : []),
    { kind: "observed", requirement: "4.1/29", choice: style(stream) },
  ];
}

function contentType(exchange: Exchange): Judgement {
  const type = exchange.headers.get("content-type") ?? "none";
  const expected = "text/event-stream";
  return judge("4.1/23", type.split(";")[0]?.trim().toLowerCase() === expected, { expected, seen: type });
}

/** Every line is `data: ` and something, blank, or a comment; every data line is followed by a blank one. */
function lines(stream: Stream): Judgement[] {
  const isData = (text: string): boolean => text.startsWith("data:");
  const odd =
    stream.strange[0]?.text ??
    stream.lines.find((line) => isData(line.text) && !line.text.startsWith("data: "))?.text ??
    stream.lines.find(({ text }, index) => isData(text) && text !== "data: [DONE]" && !blankAfter(stream, index))?.text;
  // A stream that had begun when its worker dropped out may say so in its last line (4.1/50 is open).
  const foreign = stream.events.find((event) => !event.done && event !== stream.broke && !looksLikeChunk(event));
  return [
    judge("4.1/24", odd === undefined, {
      expected: "lines `data: <chunk>`, each followed by a blank line",
      seen: odd,
    }),
    judge("4.1/28", foreign === undefined, { expected: "a chunk or [DONE] in each data line", seen: foreign?.data }),
  ];
}

const blankAfter = (stream: Stream, index: number): boolean => stream.lines[index + 1]?.text === "";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const looksLikeChunk = (event: StreamEvent): boolean =>
  isObject(event.json) && ("choices" in event.json || "object" in event.json);

const choicesOf = (chunk: StreamEvent): readonly unknown[] | null => {
  const choices = at(chunk.json, "choices");
  return Array.isArray(choices) ? choices : null;
};

/** A chunk that tells the usage and has no choice: allowed wherever usage may be told (2.4/16 is open). */
const onlyUsage = (chunk: StreamEvent): boolean => choicesOf(chunk)?.length === 0 && isObject(at(chunk.json, "usage"));

function chunkFields(stream: Stream): Judgement[] {
  const heads = stream.chunks.find(({ json }) => !hasHead(json));
  const bodies = stream.chunks.find((chunk) => !onlyUsage(chunk) && !hasChoices(choicesOf(chunk)));
  const several = stream.chunks.find((chunk) => !onlyUsage(chunk) && !isOneChoice(choicesOf(chunk)));
  const reason = stream.chunks.map((chunk) => at(chunk.json, "choices", 0, "finish_reason")).find((each) => each);
  return [
    judge("2.4/12", heads === undefined, {
      title: "a chunk's `id`, `object`, `created` or `model` is wrong",
      expected: "a string `id` and `model`, `object` `chat.completion.chunk`, `created` in whole seconds",
      seen: heads?.data,
    }),
    judge("2.4/13", bodies === undefined, {
      title: "a chunk's `choices` are not of the form stated",
      expected: "an array of `index`, `delta` and `finish_reason`",
      seen: bodies?.data,
    }),
    judge("2.4/8", several === undefined, {
      title: "a chunk has not one choice of index 0",
      expected: "one choice, whose index is 0",
      seen: several?.data,
    }),
    ...(typeof reason === "string"
      ? [judge("2.4/9", ENDINGS.includes(reason), { expected: "stop or length", seen: reason })]
      : []),
  ];
}

function hasHead(chunk: unknown): boolean {
  return (
    typeof at(chunk, "id") === "string" &&
    at(chunk, "object") === "chat.completion.chunk" &&
    Number.isInteger(at(chunk, "created")) &&
    typeof at(chunk, "model") === "string"
  );
}

const absentOrText = (value: unknown): boolean => value === undefined || typeof value === "string";

function hasChoices(choices: readonly unknown[] | null): boolean {
  return (
    choices !== null &&
    choices.length > 0 &&
    choices.every((choice) => {
      const reason = at(choice, "finish_reason");
      return (
        Number.isInteger(at(choice, "index")) &&
        isObject(at(choice, "delta")) &&
        absentOrText(at(choice, "delta", "role")) &&
        absentOrText(at(choice, "delta", "content")) &&
        (reason === null || typeof reason === "string")
      );
    })
  );
}

const isOneChoice = (choices: readonly unknown[] | null): boolean =>
  choices === null || (choices.length === 1 && at(choices[0], "index") === 0);

/** One id, one model, one time; and the id is that of the stream's job. */
function oneCompletion(stream: Stream, jobId: string | null): Judgement[] {
  if (stream.chunks.length === 0) return [];
  const heads = new Set(
    stream.chunks.map(({ json }) => JSON.stringify([at(json, "id"), at(json, "model"), at(json, "created")])),
  );
  const id = String(at(stream.chunks[0]?.json, "id"));
  const expected = jobId === null ? "chatcmpl-job_..." : `chatcmpl-${jobId}`;
  return [
    judge("2.4/14", heads.size === 1, { expected: "one id, model and created", seen: [...heads].slice(0, 3) }),
    judge("2.4/15", jobId === null ? id.startsWith("chatcmpl-job_") : id === expected, { expected, seen: id }),
  ];
}

/** The role comes first, once, and content with it, content in every chunk after, and an empty delta with a reason at the end. */
function order(stream: Stream, whole: boolean): Judgement[] {
  const chunks = stream.chunks.filter((chunk) => !onlyUsage(chunk));
  const told = whole ? chunks.slice(0, -1) : chunks;
  const last = whole ? chunks.at(-1) : undefined;
  const content = (chunk: StreamEvent | undefined): unknown => at(chunk?.json, "choices", 0, "delta", "content");
  const reason = (chunk: StreamEvent | undefined): unknown => at(chunk?.json, "choices", 0, "finish_reason");
  const first = chunks[0];
  const opens = at(first?.json, "choices", 0, "delta", "role") === ROLE && typeof content(first) === "string";
  const silent = told.slice(1).find((chunk) => typeof content(chunk) !== "string");
  const role = (chunk: StreamEvent): unknown => at(chunk.json, "choices", 0, "delta", "role");
  const again = told.slice(1).find((chunk) => role(chunk) !== undefined);
  const early = told.find((chunk) => reason(chunk) !== null);
  const delta = at(last?.json, "choices", 0, "delta");
  const closes = isObject(delta) && Object.keys(delta).length === 0 && typeof reason(last) === "string";
  return [
    judge("4.1/25", opens, {
      title: "the first chunk does not carry the role `assistant` and content",
      expected: "a delta with role and content",
      seen: first?.data ?? "no chunk",
    }),
    judge("4.1/25", silent === undefined, {
      title: "a chunk between the first and the last carries no content",
      expected: "a delta with content",
      seen: silent?.data,
    }),
    judge("4.1/25", again === undefined, {
      title: "a chunk after the first carries a role",
      expected: "a delta with content alone",
      seen: again?.data,
    }),
    judge("4.1/26", early === undefined, {
      title: "`finish_reason` is not null before the last chunk",
      expected: "null",
      seen: early?.data,
    }),
    ...(whole
      ? [
          judge("4.1/26", closes, {
            title: "the last chunk has no empty delta with a `finish_reason`",
            expected: "an empty delta and a `finish_reason`",
            seen: last?.data ?? "no chunk",
          }),
        ]
      : []),
  ];
}

/** `data: [DONE]` once, and after it nothing but blank lines and comments. */
function end(stream: Stream): Judgement {
  const spoken = stream.lines.map((line) => line.text).filter((text) => text !== "" && !text.startsWith(":"));
  const ends = spoken.filter((text) => text === "data: [DONE]").length;
  return judge("4.1/27", ends === 1 && spoken.at(-1) === "data: [DONE]", {
    expected: "`data: [DONE]` once, as the last line",
    seen: ends === 0 ? "no [DONE]" : spoken.slice(-3),
  });
}

function style(stream: Stream): string {
  if (stream.lines.some((line) => line.ending === "\r\n")) return "crlf";
  return stream.comments > 0 ? "comments" : "plain";
}
