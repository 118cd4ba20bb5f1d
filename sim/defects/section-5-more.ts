/** Further defects in keys and wallets (sections 3.3, 5, 8): those of one endpoint, one form, one order of events. */
import type { Changes, Inside } from "../facade/index.ts";
import type { Key } from "../facade/keys.ts";
import { instead, network, watch } from "../facade/overrides.ts";
import type { Refusal } from "../facade/refusal.ts";
import { boundary, sequence, single } from "./defect.ts";

type Asked = { readonly method: string; readonly path: string };

/** Another answer to the question who is asking; `key` is the key that was sent, where it is anybody's. */
const identifies = (
  change: (given: {
    readonly found: Key | Refusal;
    readonly key: Key | undefined;
    readonly inside: Inside;
    readonly authorization: string | undefined;
    readonly asked: Asked;
  }) => Key | Refusal,
): Changes => ({
  door: (honest) => ({
    authenticate(inside, authorization, asked) {
      const found = honest.authenticate(inside, authorization, asked);
      const key = inside.keys.find(authorization?.replace(/^Bearer +/i, "").trim() ?? "");
      return change({ found, key, inside, authorization, asked });
    },
  }),
});

const revoked: Refusal = { status: 401, code: "invalid_api_key", message: "The API key was revoked." };

export const section3KeysMore = [
  sequence("key-once-revoked-stays-out", "3.3/1", "A key that was revoked and is active again is refused", () => {
    const out = new Set<Key>();
    return identifies(({ found, key }) => {
      if (key?.state === "revoked") out.add(key);
      return key !== undefined && out.has(key) ? revoked : found;
    });
  }),
  sequence(
    "revoked-key-forbidden",
    "3.3/2",
    "A revoked key is refused with 403",
    identifies(({ found, key }) => (key?.state === "revoked" ? { ...revoked, status: 403 } : found)),
  ),
  sequence(
    "suspended-key-unknown-to-streams",
    "3.3/3",
    "A streamed request with a suspended key is refused as one with an unknown key",
    () => {
      const { streams, middleware } = watch();
      return {
        middleware,
        ...identifies(({ found, key }) => (key?.state === "suspended" && streams() ? revoked : found)),
      };
    },
  ),
  sequence(
    "revoked-key-lists-models",
    "3.3/4",
    "A revoked key may still list the models",
    identifies(({ found, key, asked }) => (key?.state === "revoked" && asked.path === "/v1/models" ? key : found)),
  ),
  sequence(
    "suspended-key-disputes",
    "3.3/4",
    "A suspended key may still dispute",
    identifies(({ found, key, asked }) =>
      key?.state === "suspended" && asked.path.endsWith("/dispute") ? key : found,
    ),
  ),
  sequence(
    "revocation-takes-the-neighbours",
    "3.3/1",
    "With a revoked key the key of the wallet opened after it is refused",
    () => {
      const out = new Set<number>();
      return identifies(({ found, key }) => {
        if (key?.state === "revoked") out.add(key.wallet + 1);
        if (key?.state === "active") out.delete(key.wallet + 1);
        return key !== undefined && key.state === "active" && out.has(key.wallet) ? revoked : found;
      });
    },
  ),
  sequence(
    "revoked-key-remembered-by-streams",
    "5/10",
    "A revoked key that has streamed before may stream once more",
    () => {
      const { streams, middleware } = watch();
      const used = new Set<Key>();
      return {
        middleware,
        ...identifies(({ found, key }) => {
          if (key === undefined || !streams()) return found;
          if (key.state === "active") used.add(key);
          return key.state === "revoked" && used.delete(key) ? key : found;
        }),
      };
    },
  ),
];

export const section5Keys = [
  boundary("key-with-a-tail-accepted", "5/15", "What follows the 32 characters of a key is not looked at", () => {
    return identifies(({ found, inside, authorization }) => {
      const text = authorization?.replace(/^Bearer +/, "") ?? "";
      const whole = [...text].length > 41 ? inside.keys.find(text.slice(0, 41)) : undefined;
      return whole?.state === "active" ? whole : found;
    });
  }),
  single("key-in-the-query-accepted", "5/1", "A key in the query is accepted", {
    middleware: () => (request, response, next) => {
      const key = /[?&]api_key=(\w+)/.exec(request.target)?.[1];
      if (key === undefined || request.headers.authorization !== undefined) return next(request, response);
      return next({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }, response);
    },
  }),
  single(
    "dispute-without-key",
    "5/3",
    "A dispute without a key is looked at",
    identifies(({ found, inside, authorization, asked }) =>
      authorization === undefined && asked.path.endsWith("/dispute")
        ? inside.keys.create(inside.network.openWallet(0), inside.network.now)
        : found,
    ),
  ),
  single("foreign-wallet-by-parameter", "4.4/2", "A parameter `wallet` shows the account of that wallet", () => {
    const keys = new Map<string, Key>();
    return {
      ...identifies(({ found, inside }) => {
        if (!("code" in found)) keys.set(inside.network.walletAddress(found.wallet), found);
        return found;
      }),
      ...instead(({ method, target }, inside) => {
        const address = /^\/v1\/account\?.*\bwallet=(0x\w+)/.exec(target)?.[1];
        const key = keys.get(address ?? "");
        return method === "GET" && key !== undefined
          ? { status: 200, body: inside.door.accountBody(inside, key) }
          : undefined;
      }),
    };
  }),
  sequence(
    "webhook-learned-without-key",
    "5/17",
    "Without a key a webhook that is there is refused with 403, not 401",
    () => {
      let there = false;
      return {
        middleware: (inside) => (request, response, next) => {
          const id = /^\/v1\/webhooks\/(\w+)$/.exec(request.target)?.[1];
          const nobody = request.headers.authorization === undefined;
          there = nobody && id !== undefined && inside.webhooks.find(id) !== undefined;
          try {
            return next(request, response);
          } finally {
            there = false;
          }
        },
        door: (honest) => ({
          refuse: (inside, refusal) => honest.refuse(inside, there ? { ...refusal, status: 403 } : refusal),
        }),
      };
    },
  ),
  sequence(
    "topped-up-wallet-overdraws",
    "5/12",
    "A wallet that was ever topped up is served a request that it cannot pay",
    () => {
      return network((honest) => {
        const topped = new Set<number>();
        let nobody = -1;
        return {
          topUp(wallet, units) {
            topped.add(wallet);
            honest.topUp(wallet, units);
          },
          submit(request, listener) {
            const result = honest.submit(request, listener);
            const poor = !result.ok && result.error === "insufficient_credits";
            if (!poor || !topped.delete(request.wallet)) return result;
            if (nobody < 0) nobody = honest.openWallet(1_000_000);
            return honest.submit({ ...request, wallet: nobody }, listener);
          },
        };
      });
    },
  ),
  boundary("streams-need-a-unit-more", "8/7", "A streamed request needs one unit more than its price", () => {
    const { streams, middleware } = watch();
    return {
      middleware,
      ...network((honest) => ({
        submit(request, listener) {
          const remaining = honest.available(request.wallet);
          const short = streams() && [2, 8, 18, 40].includes(remaining);
          if (!short) return honest.submit(request, listener);
          return { ok: false, error: "insufficient_credits", remaining, required: remaining + 1 };
        },
      })),
    };
  }),
];
