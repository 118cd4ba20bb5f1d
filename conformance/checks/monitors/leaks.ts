/** Secrets (sections 2.6, 5): no answer, header or delivery contains an API key or a webhook's secret. */
import type { RequirementId } from "../../../fixtures/protocol/index.ts";
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { type Judgement, judge, type Monitor, type MonitorContext } from "../monitor.ts";

const SHORTEST_SECRET = 8;

export function leaksMonitor(): Monitor {
  const secrets = new Set<string>();
  const keys = new Set<string>();
  const leaked = (text: string, known: ReadonlySet<string>): boolean => [...known].some((each) => text.includes(each));

  return {
    name: "leaks",
    *see(exchange, context) {
      const given = at(exchange.request.json, "secret");
      if (exchange.endpoint === "POST /v1/webhooks" && typeof given === "string" && given.length >= SHORTEST_SECRET) {
        secrets.add(given);
      }
      if (exchange.request.key !== null) keys.add(exchange.request.key);
      if (exchange.status === 0) return;
      // A reply may say again what it was told: only what nobody told it in this request is a leak of it.
      const told = exchange.request.body === null ? "" : Buffer.from(exchange.request.body).toString("utf8");
      const untold = new Set(
        [...secrets].filter((each) => exchange.endpoint === "POST /v1/webhooks" || !told.includes(each)),
      );
      const text = wholeText(exchange);
      const secret = leaked(text, untold);
      const key = leaked(text, keys);
      const shown = context.secrets.hide(text).slice(0, 300);
      if (secrets.size > 0) {
        yield judge(secretRow(exchange), !secret, {
          title: "a webhook's secret is shown",
          expected: "no secret",
          seen: shown,
        });
      }
      yield judge("5/8", !key, { title: "an API key is shown", expected: "no key", seen: shown });
      if (exchange.status >= 400) {
        yield judge("7/11", !key && !secret, {
          title: "an error repeats a secret",
          expected: "neither key nor secret",
          seen: shown,
        });
      }
    },
    *hear(delivery, context): Iterable<Judgement> {
      const text = [...delivery.headers.entries.map(([name, value]) => `${name}: ${value}`), delivery.text].join("\n");
      const shown = shownOf(text, context);
      yield judge("2.6/5", !leaked(text, secrets), {
        title: "a delivery shows a secret",
        expected: "no secret",
        seen: shown,
      });
      yield judge("5/8", !leaked(text, keys), {
        title: "a delivery shows an API key",
        expected: "no key",
        seen: shown,
      });
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
