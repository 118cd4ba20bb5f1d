/** The receiver without sockets: the simulated service calls `deliver`, and is told at once what the endpoint will do. */
import { makeEndpoints } from "./endpoints.ts";
import type { Deliver, Receiver } from "./receiver.ts";

export interface InProcessReceiver extends Receiver {
  readonly deliver: Deliver;
  /** Grows with every arrival. */
  readonly count: number;
}

const BASE = "https://receiver.test";

/** `now` is used for deliveries that do not tell their time. */
export function inProcessReceiver(options: { readonly brand: string; readonly now?: () => number }): InProcessReceiver {
  const endpoints = makeEndpoints(BASE, options.brand);
  return {
    refusedHandshakes: 0,
    open: endpoints.open,
    listen: endpoints.listen,
    deliver(delivery) {
      const at = delivery.at ?? options.now?.() ?? 0;
      return endpoints.take(delivery, { earliest: at, at }) ?? { kind: "drop" };
    },
    get count() {
      return endpoints.count;
    },
    close: () => Promise.resolve(),
  };
}
