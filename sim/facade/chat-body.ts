/** Completions and chunks as the API shows them (section 2.4). */
import { type Inside, unix, view } from "./inside.ts";
import type { JobRecord } from "./jobs.ts";

/** A completion in one piece. */
export function chatBody(inside: Inside, record: JobRecord): Readonly<Record<string, unknown>> {
  return {
    ...heading(inside, record, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: record.plan.text },
        finish_reason: record.plan.finishReason,
      },
    ],
    usage: usage(inside, record),
  };
}

/** A chunk of a stream; `finish` is null for all but the last. */
export function chunkBody(
  inside: Inside,
  record: JobRecord,
  delta: Readonly<Record<string, string>>,
  finish: string | null,
): Readonly<Record<string, unknown>> {
  return {
    ...heading(inside, record, "chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: finish }],
    usage: finish !== null && inside.shape.usageInStream ? usage(inside, record) : undefined,
  };
}

/** One event of a stream: a data line and a blank one. */
export function frame({ shape }: Inside, data: string): string {
  return `data: ${data}${shape.lineEnding}${shape.lineEnding}`;
}

function heading(inside: Inside, record: JobRecord, object: string): Readonly<Record<string, unknown>> {
  const job = view(inside, record);
  return {
    id: `chatcmpl-${record.id}`,
    object,
    created: unix(inside, job.createdAt),
    model: inside.network.models[job.model]!.id,
  };
}

function usage(inside: Inside, record: JobRecord): Readonly<Record<string, number>> {
  const { promptTokens, outputTokens } = view(inside, record);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
  };
}
