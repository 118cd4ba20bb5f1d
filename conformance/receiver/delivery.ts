/** What arrived at an endpoint, taken apart. Pure. */
import { at } from "../exchange/exchange.ts";
import { headerList } from "../exchange/headers.ts";
import type { Delivery, InProcessDelivery, Reply, SignatureParts } from "./receiver.ts";

/** Everything of a delivery but the reply, which is chosen by it. */
export type Arrived = Omit<Delivery, "reply">;

/** Takes a delivery apart. `earliest` and `at` bound the moment of its arrival on the service's clock. */
export function arrived(
  raw: InProcessDelivery,
  facts: { readonly number: number; readonly brand: string; readonly earliest: number; readonly at: number },
): Arrived {
  const headers = headerList(raw.headers);
  const text = new TextDecoder("utf-8").decode(raw.body);
  const json = parse(text);
  const string = (...path: string[]): string | null => {
    const value = at(json, ...path);
    return typeof value === "string" ? value : null;
  };
  const signatureHeader = headers.get(signatureName(facts.brand));
  return {
    number: facts.number,
    url: raw.url,
    method: raw.method,
    headers,
    body: raw.body,
    text,
    json,
    event: string("event"),
    eventId: string("id"),
    jobId: string("data", "job_id"),
    signatureHeader,
    signature: signatureHeader === null ? null : signatureParts(signatureHeader),
    earliest: facts.earliest,
    at: facts.at,
  };
}

export function withReply(delivery: Arrived, reply: Reply): Delivery {
  return { ...delivery, reply };
}

/** The signature header of a brand: `Service-Signature`. Names are compared without regard to case. */
export function signatureName(brand: string): string {
  return `${brand}-Signature`;
}

/** `t=<unix>,v1=<hex>` exactly: two fields, in this order, seconds in digits, 64 hex digits. Null for any other form. */
export function signatureParts(header: string): SignatureParts | null {
  const match = /^t=(\d{1,15}),\s?v1=([0-9a-fA-F]{64})$/.exec(header.trim());
  return match === null ? null : { t: Number(match[1]), v1: match[2] as string };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
