/**
 * A streamed completion (section 4.1). The head goes out at the first token, when the worker is known; content follows as the worker makes it,
 * the final chunk and `[DONE]` with the last token. The response then stays open until its settlement can be told in the trailer.
 */
import type { JobListener, JobView } from "../port.ts";
import { type ChatSink, jobFailed, jobTimeout } from "./chat.ts";
import type { Inside } from "./inside.ts";
import type { JobRecord } from "./jobs.ts";

export function startStream(inside: Inside, record: () => JobRecord, sink: ChatSink): JobListener {
  const { network, shape, door } = inside;
  let begun = false;
  let done = false;
  let sent = 0;
  let timer = 0;

  const event = (delta: Readonly<Record<string, string>>, finish: string | null): void => {
    sink.write(door.frame(inside, JSON.stringify(door.chunkBody(inside, record(), delta, finish))));
  };

  /** Sends the tokens up to `upTo`, in one chunk. */
  const tell = (upTo: number): void => {
    const content = door.chunkText(record().plan, sent, upTo);
    const first = sent === 0;
    sent = upTo;
    if (shape.streamComments) sink.write(`: ${upTo} tokens${shape.lineEnding}${shape.lineEnding}`);
    event(first ? { role: "assistant", content } : { content }, null);
  };

  /** Waits for the next chunk's time: tokens are made at an even pace between the first and the last. */
  const waitForNext = (firstAt: number, lastAt: number): void => {
    const total = record().plan.ends.length;
    const upTo = Math.min(sent + shape.tokensPerChunk, total);
    if (upTo >= total) return;
    const due = firstAt + Math.floor(((lastAt - firstAt) * (upTo - 1)) / (total - 1));
    timer = network.after(Math.max(0, due - network.now), () => {
      timer = 0;
      tell(upTo);
      waitForNext(firstAt, lastAt);
    });
  };

  const stop = (): void => {
    if (timer !== 0) network.cancel(timer);
    timer = 0;
  };

  const broken = (refusal: Parameters<ChatSink["refuse"]>[0]): void => {
    stop();
    if (!begun || shape.streamSettlement === "header") sink.refuse(refusal);
    else if (shape.brokenStream === "cut") sink.cut();
    else sink.end();
  };

  return {
    firstToken(job: JobView) {
      begun = true;
      sink.head(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }, record());
      tell(Math.min(1, record().plan.ends.length));
      waitForNext(job.firstTokenAt, job.lastTokenDueAt);
    },
    lastToken() {
      stop();
      const total = record().plan.ends.length;
      while (sent < total) tell(Math.min(sent + shape.tokensPerChunk, total));
      event({}, record().plan.finishReason);
      sink.write(door.frame(inside, "[DONE]"));
      done = true;
      if (shape.streamSettlement === "job") sink.end();
    },
    settled() {
      if (done && shape.streamSettlement !== "job") sink.end(record());
    },
    failed: (job) => broken(jobFailed(inside, record(), job)),
    refunded: (job) => broken(jobTimeout(inside, record(), job)),
  };
}
