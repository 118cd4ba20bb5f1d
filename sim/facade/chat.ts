/**
 * `POST /v1/chat/completions` (section 4.1): a checked request becomes a job of the world; its answer comes when the world has one.
 */
import type { JobListener, JobView } from "../port.ts";
import { boundOf, type ChatRequest, stopsOf, textStream } from "./chat-request.ts";
import { startStream } from "./chat-stream.ts";
import type { Answer } from "./http.ts";
import type { Call, Inside } from "./inside.ts";
import type { JobRecord } from "./jobs.ts";
import type { Refusal } from "./refusal.ts";
import { countPromptTokens } from "./text.ts";

/** How a job's answer is written; the facade knows how to send answers and refusals with their receipts. */
export interface ChatSink {
  answer(answer: Answer, record: JobRecord): void;
  refuse(refusal: Refusal): void;
  head(status: number, headers: Readonly<Record<string, string>>, record: JobRecord): void;
  write(text: string): void;
  /** Ends a stream; with its settlement in the trailer where `record` is given. */
  end(record?: JobRecord): void;
  cut(): void;
}

/** Why a request is refused before it becomes a job, or undefined after it became one. */
export function complete(inside: Inside, call: Call, sink: ChatSink): Refusal | undefined {
  const { network, door, shape } = inside;
  const request = call.body as ChatRequest;
  const model = network.models.findIndex(({ id }) => id === request.model);
  if (model === -1) return unknownModel(request.model);
  const promptTokens = countPromptTokens(request.messages);
  const bound = boundOf(request);
  if (!door.fitsContext(inside, model, promptTokens, bound)) {
    const { contextWindow, id } = network.models[model]!;
    return {
      status: 400,
      code: "context_length_exceeded",
      message: `The conversation has ${promptTokens} tokens; the context window of ${id} has ${contextWindow}.`,
      param: "messages",
    };
  }
  const draw = textStream(inside, request, inside.jobs.count);
  const length = inside.outputTokens.get(model) ?? door.naturalLength(draw);
  const plan = door.planText(draw, length, bound, stopsOf(request));
  // The token that meets a stop sequence at once is made, though it is not shown.
  const outputTokens = Math.max(1, plan.ends.length);

  let record: JobRecord | undefined;
  const streamed = request.stream === true;
  const own = (): JobRecord => record!;
  const listener = streamed ? startStream(inside, own, sink) : onePiece(inside, own, sink);
  const result = network.submit(
    { wallet: call.key.wallet, model, promptTokens, outputTokens, maxTokens: bound },
    listener,
  );
  if (result.ok) {
    record = inside.jobs.add({ job: result.job, wallet: call.key.wallet, model, streamed, plan });
    return undefined;
  }
  if (result.error === "insufficient_credits") {
    const { tier } = network.models[model]!;
    return {
      status: 402,
      code: "insufficient_credits",
      message: `The request needs ${result.required} credits; the wallet has ${result.remaining}.`,
      details: { credits_remaining: result.remaining, credits_required: result.required, tier },
    };
  }
  const { retryAfterSeconds } = result;
  return {
    status: 503,
    code: "no_workers_available",
    message: `No worker hosts ${request.model} now.`,
    param: "model",
    details: { model: request.model, retry_after: shape.retryAfter === "told" ? retryAfterSeconds : undefined },
  };
}

export function unknownModel(id: string): Refusal {
  return { status: 400, code: "model_not_found", message: `There is no model ${JSON.stringify(id)}.`, param: "model" };
}

/** A completion in one piece is answered when its job has settled: every receipt is known then. */
function onePiece(inside: Inside, record: () => JobRecord, sink: ChatSink): JobListener {
  return {
    settled: () => sink.answer({ status: 200, body: inside.door.chatBody(inside, record()) }, record()),
    failed: (job) => sink.refuse(jobFailed(inside, record(), job)),
    refunded: (job) => sink.refuse(jobTimeout(inside, record(), job)),
  };
}

/** The answer to a request whose job failed. */
export function jobFailed({ shape }: Inside, record: JobRecord, job: JobView): Refusal {
  return {
    ...shape.failedJob,
    message: "The worker dropped out of the job; its credits were returned.",
    details: { job_id: record.id, credits_refunded: job.returned },
    job: record,
  };
}

/** The answer to a request whose job ran into the time-out (section 3.1). */
export function jobTimeout({ network }: Inside, record: JobRecord, job: JobView): Refusal {
  return {
    status: 504,
    code: "job_timeout",
    message: "No worker finished the job within 120 seconds; its credits were returned.",
    details: { job_id: record.id, credits_refunded: job.returned, refund_tx: network.chain.hash(job.refundTx) },
    job: record,
  };
}
