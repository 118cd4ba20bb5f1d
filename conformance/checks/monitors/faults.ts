/** Failures of the service itself: a 500 where no request can have caused one. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import { judge, type Monitor } from "../monitor.ts";
import { makeValidator } from "../validate.ts";

/**
 * A chat of good form may be answered with any 5xx: its job may have failed. Every other request, and every chat that can never have become a
 * job, must not be answered with a 500.
 */
export function faultsMonitor(brand: string): Monitor {
  const validator = makeValidator(brand);
  const mayBecomeJob = (exchange: Exchange): boolean =>
    exchange.endpoint === "POST /v1/chat/completions" &&
    validator.misfits("chat-request", exchange.request.json ?? null).length === 0;
  return {
    name: "faults",
    rows: ["7.1/8"],
    *see(exchange) {
      if (exchange.ending !== "answered" || exchange.endpoint === null || mayBecomeJob(exchange)) return;
      const broke = exchange.status === 500 || (exchange.status > 500 && !hasErrorObject(exchange));
      yield judge("7.1/8", !broke, {
        title: `${exchange.endpoint} is answered with a server error`,
        expected: "no 500, whatever the request",
        seen: `${exchange.status} ${exchange.text.slice(0, 200)}`,
      });
    },
  };
}

const hasErrorObject = (exchange: Exchange): boolean => typeof at(exchange.json, "error", "code") === "string";
