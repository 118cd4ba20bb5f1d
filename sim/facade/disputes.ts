/** `POST /v1/jobs/{job_id}/dispute` (sections 2.8, 3.1, 4.7) and the hash that it turns on. */
import { createHash } from "node:crypto";
import { ARBITRATION_WINDOW_HOURS } from "../../fixtures/protocol/limits.ts";
import type { Tx } from "../port.ts";
import { type Fields, type Rule, required } from "./fields.ts";
import type { Answer } from "./http.ts";
import { type Call, type Inside, view } from "./inside.ts";
import type { JobRecord } from "./jobs.ts";
import { invalid, notFound, outOfRange, type Refusal } from "./refusal.ts";

const hash: Rule = (value, param, shape) => {
  if (typeof value !== "string") return invalid(param, `${param} is a string.`);
  const form = shape.capitalHash !== "refused" ? /^sha256:[0-9a-f]{64}$/i : /^sha256:[0-9a-f]{64}$/;
  return form.test(value) ? undefined : outOfRange(shape, param, `${param} has the form sha256:<64 hex digits>.`);
};

export const disputeFields: Fields = { received_output_hash: required(hash) };

/** SHA-256 over a text in UTF-8 with one trailing newline removed. */
export function outputHash(text: string): string {
  return sha256(text.endsWith("\n") ? text.slice(0, -1) : text);
}

const sha256 = (text: string): string => `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;

/** The hash that the worker posted: of what it delivered, or of something else where it cheated. */
export function postedHash(inside: Inside, record: JobRecord): string {
  const honest = inside.door.outputHash(record.plan.text);
  return view(inside, record).honestProof ? honest : sha256(`another text than ${honest}`);
}

/** Whether what a client received is not what the worker posted. */
export function hashesDiffer(inside: Inside, record: JobRecord, received: string): boolean {
  const compared = inside.shape.capitalHash === "different" ? received : received.toLowerCase();
  return compared !== inside.door.postedHash(inside, record);
}

export function openDispute(inside: Inside, call: Call): Answer | Refusal {
  const { network, shape, door } = inside;
  const record = inside.jobs.find(call.id);
  if (record === undefined || !door.owns(record.wallet, call.key.wallet, "dispute")) {
    return notFound(shape, "job", call.id);
  }
  const received = (call.body as { received_output_hash: string }).received_output_hash;
  record.received = received;
  const result = network.dispute(record.job, door.hashesDiffer(inside, record, received));
  if (result.ok) {
    const body = door.disputeBody(inside, record, received, result.opened, result.tx);
    if (result.opened) record.dispute = body;
    return { status: 200, body };
  }
  switch (result.error) {
    case "window_expired":
      return {
        status: 422,
        code: "dispute_window_expired",
        message: "A job can be disputed within 60 seconds of its final output token.",
      };
    case "already_disputed":
      if (shape.secondDispute === "repeat" && record.dispute !== undefined)
        return { status: 200, body: record.dispute };
      return {
        status: shape.secondDispute === "repeat" ? 409 : shape.secondDispute,
        code: "already_disputed",
        message: "The job is disputed already.",
      };
    case "not_completed":
      return {
        status: shape.disputeOfUnfinished,
        code: "job_not_completed",
        message: `Only a completed job can be disputed; this one is ${view(inside, record).status}.`,
      };
  }
}

export function disputeBody(
  inside: Inside,
  record: JobRecord,
  received: string,
  opened: boolean,
  tx: Tx,
): Readonly<Record<string, unknown>> {
  const { shape, door, network } = inside;
  if (!opened && shape.matchingDispute === "minimal") return { job_id: record.id, dispute_opened: false };
  if (!opened && shape.matchingDispute === "message") return { message: "The hashes match: no dispute was opened." };
  return {
    job_id: record.id,
    dispute_opened: opened,
    your_hash: received,
    worker_hash: door.postedHash(inside, record),
    dispute_tx: opened ? network.chain.hash(tx) : null,
    arbitration_window_hours: ARBITRATION_WINDOW_HOURS,
  };
}
