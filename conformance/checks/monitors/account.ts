/** The account (section 2.1), wherever it is read. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { judge, type Monitor } from "../monitor.ts";

/** Whether a value in the stablecoin is that of so many units: x 0.01, floats forgiven. */
export function isValueOf(value: unknown, units: number): boolean {
  return typeof value === "number" && Math.abs(value * 100 - units) < 1e-6;
}

export function accountMonitor(): Monitor {
  const wallets = new Map<string, string>();
  const born = new Map<string, { readonly at: string; readonly exchange: Exchange }>();
  return {
    name: "account",
    rows: ["2.1/2", "2.1/5", "2.1/6", "2.1/7", "2.1/8", "8/11"],
    *see(exchange) {
      if (exchange.endpoint !== "GET /v1/account" || !succeeded(exchange)) return;
      const field = (name: string): unknown => at(exchange.json, name);
      const units = field("credits_remaining");
      if (typeof units === "number") {
        yield judge("2.1/2", isValueOf(field("usdg_value"), units), {
          expected: `usdg_value ${units / 100} for ${units} units`,
          seen: field("usdg_value"),
        });
        yield judge("2.1/7", units >= 0, { expected: "0 or more", seen: units });
        yield judge("8/11", Number.isInteger(units), {
          title: "a balance is no whole number",
          expected: "an integer",
          seen: units,
        });
      }
      const wallet = field("wallet");
      const { key } = exchange.request;
      if (typeof wallet === "string" && key !== null) {
        const before = wallets.get(key);
        if (before !== undefined) yield judge("2.1/8", before === wallet, { expected: before, seen: wallet });
        else wallets.set(key, wallet);
      }
      const created = field("api_key_created_at");
      if (typeof created === "string" && key !== null) {
        const before = born.get(key);
        if (before === undefined) born.set(key, { at: created, exchange });
        else {
          yield judge("2.1/5", created === before.at, {
            title: "a key's `api_key_created_at` changes",
            expected: before.at,
            seen: created,
            with: [before.exchange],
          });
        }
      }
      yield {
        kind: "observed",
        requirement: "2.1/6",
        choice: field("api_key_created_at") === undefined ? "absent" : "present",
      };
    },
  };
}
