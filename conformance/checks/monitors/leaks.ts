/** Secrets (sections 2.6, 5): no answer, header or delivery contains an API key or a webhook's secret. */
import type { RequirementId } from "../../../fixtures/protocol/index.ts";
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { type Judgement, judge, type Monitor, type MonitorContext } from "../monitor.ts";

const SHORTEST_SECRET = 8;

/** Words that a key or a usual secret can be. */
const WORD = /[A-Za-z0-9_-]{8,}/g;
const IS_WORD = /^[A-Za-z0-9_-]+$/;

/** Secrets of one kind. Those that are words are looked up among the words of a text, however many there are; others are searched for. */
function safe() {
  const words = new Set<string>();
  const others = new Set<string>();
  return {
    get size() {
      return words.size + others.size;
    },
    add: (secret: string) => (IS_WORD.test(secret) ? words : others).add(secret),
    /** Whether a text contains one of them that `told` does not. */
    leaksInto: (text: string, told: string): boolean =>
      (words.size > 0 && (text.match(WORD) ?? []).some((word) => words.has(word) && !told.includes(word))) ||
      [...others].some((secret) => text.includes(secret) && !told.includes(secret)),
  };
}

export function leaksMonitor(): Monitor {
  const secrets = safe();
  const keys = safe();

  return {
    name: "leaks",
    rows: ["2.6/4", "2.6/5", "4.9/3", "5/8", "7/11"],
    *see(exchange, context) {
      const given = at(exchange.request.json, "secret");
      const creation = exchange.endpoint === "POST /v1/webhooks";
      if (creation && typeof given === "string" && given.length >= SHORTEST_SECRET) secrets.add(given);
      if (exchange.request.key !== null) keys.add(exchange.request.key);
      if (exchange.status === 0) return;
      // A reply may say again what it was told: only what nobody told it in this request is a leak of it.
      const { body } = exchange.request;
      const told = body === null || creation ? "" : Buffer.from(body).toString("utf8");
      const text = wholeText(exchange);
      const secret = secrets.leaksInto(text, told);
      const key = keys.leaksInto(text, "");
      const seen = secret || key ? shownOf(text, context) : "";
      if (secrets.size > 0) {
        yield judge(secretRow(exchange), !secret, {
          title: "a webhook's secret is shown",
          expected: "no secret",
          seen,
        });
      }
      yield judge("5/8", !key, { title: "an API key is shown", expected: "no key", seen });
      if (exchange.status >= 400) {
        yield judge("7/11", !key && !secret, {
          title: "an error repeats a secret",
          expected: "neither key nor secret",
          seen,
        });
      }
    },
    *hear(delivery, context): Iterable<Judgement> {
      const text = [...delivery.headers.entries.map(([name, value]) => `${name}: ${value}`), delivery.text].join("\n");
      const [secret, key] = [secrets.leaksInto(text, ""), keys.leaksInto(text, "")];
      const seen = secret || key ? shownOf(text, context) : "";
      yield judge("2.6/5", !secret, { title: "a delivery shows a secret", expected: "no secret", seen });
      yield judge("5/8", !key, { title: "a delivery shows an API key", expected: "no key", seen });
    },
  };
}

const shownOf = (text: string, context: MonitorContext): string => context.secrets.hide(text).slice(0, 300);

function secretRow(exchange: Exchange): RequirementId {
  if (exchange.endpoint === "POST /v1/webhooks" && succeeded(exchange)) return "2.6/4";
  return exchange.endpoint === "GET /v1/webhooks" ? "4.9/3" : "2.6/5";
}

function wholeText(exchange: Exchange): string {
  const headers = [...exchange.headers.entries, ...exchange.trailers.entries].map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [...headers, exchange.text].join("\n");
}
