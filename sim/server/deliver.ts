/**
 * Webhook deliveries over real HTTPS. Certificates are checked as everywhere; a receiver with one of its own making is reached with its
 * authority given, or with checks turned off on purpose.
 */
import { Agent, request } from "undici";
import type { DeliveryOutcome, DeliveryTransport } from "../facade/index.ts";

export interface HttpsDeliveryOptions {
  /** Certificates (PEM) that are trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Trusts any certificate. */
  readonly insecure?: boolean | undefined;
}

/** Redirects are not followed: only a 2xx of the endpoint itself counts (section 6.4). */
export function createHttpsDelivery(
  options: HttpsDeliveryOptions = {},
): DeliveryTransport & { close(): Promise<void> } {
  const agent = new Agent({
    connect: {
      rejectUnauthorized: options.insecure !== true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    },
    // The ten seconds of section 6.4 are virtual: whoever calls keeps them, and aborts.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  });
  const transport: DeliveryTransport = ({ url, headers, body }, done) => {
    const aborting = new AbortController();
    const { signal } = aborting;
    const answered = request(url, { dispatcher: agent, method: "POST", headers, body, signal })
      .then(async (response): Promise<DeliveryOutcome> => {
        await response.body.dump({ limit: 65_536, signal }).catch(() => {});
        return { status: response.statusCode };
      })
      .catch((error: Error): DeliveryOutcome => ({ error: error.message }))
      .then(done);
    return { abort: () => aborting.abort(), answered };
  };
  return Object.assign(transport, { close: () => agent.destroy() });
}
