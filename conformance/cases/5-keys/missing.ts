/** Section 5: requests without a key, with a malformed `Authorization`, and with keys that nobody has. */
import { type Exchange, errorCode, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type RequirementId } from "../case.ts";
import { isErrorObject, refusedAsInvalid } from "../support/refusals.ts";
import { imaginedSights, realSights, type Sights, tour } from "../support/tour.ts";

/** Refused with 401 and that code; the body an error object, and no stream. */
function judge401(t: CaseContext, row: RequirementId, code: string, name: string, answer: Exchange): boolean {
  const ok = answer.status === 401 && errorCode(answer) === code;
  return t.check(row, ok, {
    expected: `401 ${code}`,
    seen: `${name}: ${answer.status} ${answer.text}`,
    exchanges: answer,
  });
}

/** Every endpoint as a good key sees it: none of them answers 401. Chats are made last, if at all. */
async function control(t: CaseContext, sights: Sights): Promise<void> {
  for (const stop of tour) {
    if (stop.name.startsWith("POST") || stop.name.startsWith("DELETE")) continue;
    const answer = await stop.send(t.api, sights);
    if (answer.status === 401 || answer.status === 403) t.giveUp(`${stop.name} refuses an active key`);
  }
}

/** "Every request carries `Authorization: Bearer <API_KEY>`": an active key is taken, and its lack is told on each endpoint alike. */
const missing = defineCase({
  id: "5/missing",
  title: "every endpoint refuses a request without a key with 401 `missing_api_key`",
  requirements: ["3.3/1", "4/1", "5/1", "5/3", "4.1/33"],
  needs: ["credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    const sights = await realSights(t);
    await control(t, sights);
    const nobody = t.as(null);
    for (const stop of tour) {
      const answer = await stop.send(nobody, sights);
      const refused = answer.status === 401 && isErrorObject(answer);
      t.check("5/3", refused, { expected: "401", seen: `${stop.name}: ${answer.status} ${answer.text}` });
      judge401(t, "5/1", "missing_api_key", stop.name, answer);
      if (stop.name.endsWith("streamed"))
        t.check("4.1/33", refused, { expected: "an error object", seen: answer.text });
    }
    const account = await t.api.account();
    t.check("3.3/1", succeeded(account), { expected: "200", seen: account.status });
    t.check("4/1", succeeded(account), { expected: "200 with the key, after 401 without it", seen: account.status });
  },
});

/** Nothing is learned without a key: not whether a job or a webhook exists, not whether an account does. */
const nothing = defineCase({
  id: "5/learns-nothing",
  title: "without a valid key, things that exist and things that do not are refused alike",
  requirements: ["5/17"],
  needs: ["credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    const real = await realSights(t);
    // The model is there for both: a body that asks for another one would be a fault of its own, and which fault wins is open.
    const imagined = imaginedSights(t);
    const keys = [null, wrongKey(t)];
    for (const api of keys.map((key) => t.as(key))) {
      for (const stop of tour) {
        const [there, nowhere] = [await stop.send(api, real), await stop.send(api, imagined)];
        const alike = there.status === 401 && nowhere.status === 401 && errorCode(there) === errorCode(nowhere);
        const seen = `${stop.name}: ${there.status} ${there.text} and ${nowhere.status} ${nowhere.text}`;
        t.check("5/17", alike, { expected: "401 for both, with one code", seen, exchanges: [there, nowhere] });
      }
    }
    t.accepted(await t.api.job(real.jobId), "reading one's own job with the key");
  },
});

/** A key of the right form that nobody has. */
function wrongKey(t: CaseContext): string {
  const own = t.home.key;
  const prefix = own.slice(0, Math.max(0, own.length - 32));
  return prefix + t.random.text(32, LETTERS);
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** "Key unknown": 401 `invalid_api_key`, on every endpoint, in whichever way the key is not the right one. */
const unknown = defineCase({
  id: "5/unknown",
  title: "every endpoint refuses an unknown key with 401 `invalid_api_key`",
  requirements: ["5/2", "4.1/33", "7/11"],
  async run(t) {
    const sights = imaginedSights(t);
    await control(t, sights);
    const api = t.as(wrongKey(t));
    for (const stop of tour) {
      const answer = await stop.send(api, sights);
      judge401(t, "5/2", "invalid_api_key", stop.name, answer);
      if (stop.name.endsWith("streamed"))
        t.check("4.1/33", isErrorObject(answer), { expected: "an error object", seen: answer.text });
      const repeats = api.key !== null && answer.text.includes(api.key);
      t.check("7/11", !repeats, { expected: "no key in the answer", seen: answer.text });
    }
  },
});

/** One character changed, wherever it is; another case of a letter; one more or less; two keys mixed: each is another key. */
const nearly = defineCase({
  id: "5/nearly",
  title: "a key with one character changed, added, dropped or in another case is refused",
  requirements: ["5/2", "5/15"],
  async run(t) {
    t.accepted(await t.api.account(), "the key itself");
    const { key } = t.home;
    const changed = (at: number): string => {
      const letter = t.random.pick([...LETTERS].filter((each) => each.toLowerCase() !== key[at]?.toLowerCase()));
      return key.slice(0, at) + letter + key.slice(at + 1);
    };
    const secret = key.length - 32;
    const places = [
      secret,
      secret + 1,
      secret + 8,
      secret + 15,
      secret + 16,
      secret + 30,
      key.length - 1,
      ...[0, 1, 2, 3].map(() => secret + t.random.integer(32)),
    ];
    const swapped = [...key].map((letter, index) =>
      index >= secret && /[a-z]/i.test(letter)
        ? letter === letter.toUpperCase()
          ? letter.toLowerCase()
          : letter.toUpperCase()
        : letter,
    );
    const others = new Set([
      ...places.map(changed),
      swapped.join(""),
      key.slice(0, secret) + key.slice(secret).toLowerCase(),
      key.slice(0, secret) + key.slice(secret).toUpperCase(),
      ...[
        key.slice(0, -1),
        key.slice(1),
        `${key}a`,
        `${key}${key}`,
        key.slice(0, -8),
        key.slice(secret),
        [...key].reverse().join(""),
      ],
      ...[
        `${key.slice(0, secret)}${"*".repeat(32)}`,
        `${key.slice(0, secret)}%`,
        `${key.slice(0, -1)}?`,
        `${key.slice(0, -1)}_`,
      ],
    ]);
    others.delete(key);
    for (const other of others) {
      const api = t.as(other);
      for (const call of [api.account(), api.jobs({ limit: 1 })]) {
        const answer = await call;
        const ok = answer.status === 401 && errorCode(answer) === "invalid_api_key";
        const told = { expected: "401 invalid_api_key", seen: `${answer.status} ${answer.text}`, exchanges: answer };
        if (!t.check("5/15", ok, told)) return;
      }
      t.pass("5/2");
    }
  },
});

/** `Authorization` in every odd shape: 401, with either code. The key in another place is no key at all. */
const malformed = defineCase({
  id: "5/malformed",
  title: "a malformed `Authorization` is refused with 401, and a key elsewhere is not taken for one",
  requirements: ["5/1", "5/13", "5/14", "5/16"],
  async run(t) {
    t.accepted(await t.api.account(), "the key itself");
    const { key } = t.home;
    const shapes: readonly (readonly [what: string, value: string])[] = [
      ["no token", "Bearer"],
      ["no token", "Bearer "],
      ["another scheme", `Basic ${Buffer.from(`${key}:`).toString("base64")}`],
      ["another scheme", `Token ${key}`],
      ["another scheme", `Digest ${key}`],
      ["another scheme", `ApiKey ${key}`],
      ["no scheme", key],
      ["no space", `Bearer${key}`],
      ["no space", `Bearer:${key}`],
      ["quoted", `Bearer "${key}"`],
      ["quoted", `Bearer <${key}>`],
      ["another key", "Bearer null"],
      ["another key", "Bearer undefined"],
      ["another key", `Bearer ${key.slice(0, key.length - 32)}`],
      ["another key", "Bearer sk-proj-0123456789abcdef0123456789abcdef"],
      ["another key", "Bearer ' OR '1'='1"],
      ["another key", "Bearer {{key}}"],
      ["another key", "Bearer ../../etc/passwd"],
      ["too long", `Bearer ${"a".repeat(4_000)}`],
    ];
    for (const [what, authorization] of shapes) {
      for (const send of [
        () => t.api.account({ headers: { authorization } }),
        () => t.api.say({}, { headers: { authorization }, cost: 0 }),
      ]) {
        const answer = await send();
        const code = errorCode(answer);
        const refused = answer.status === 401 && (code === "invalid_api_key" || code === "missing_api_key");
        const told = { expected: "401", seen: `${what}: ${answer.status} ${answer.text}`, exchanges: answer };
        if (t.check("5/14", refused, told)) t.observe("5/13", `${what}: \`${code}\``);
      }
    }
    const elsewhere: readonly (readonly [path: string, headers: Record<string, string>])[] = [
      ["/v1/account", { "x-api-key": key }],
      ["/v1/account", { "api-key": key }],
      ["/v1/account", { "proxy-authorization": `Bearer ${key}` }],
      ["/v1/account", { cookie: `api_key=${key}; authorization=${encodeURIComponent(`Bearer ${key}`)}` }],
      [`/v1/account?api_key=${key}&key=${key}&access_token=${key}`, {}],
      [`/v1/account?authorization=${encodeURIComponent(`Bearer ${key}`)}`, {}],
    ];
    for (const [path, headers] of elsewhere) {
      const answer = await t.as(null).raw({ method: "GET", path, headers });
      // A query that the endpoint does not have is a fault, too, and either of two may win.
      if (path.includes("?") && refusedAsInvalid(answer) && isErrorObject(answer)) continue;
      judge401(t, "5/1", "missing_api_key", "a key elsewhere", answer);
    }
    for (const scheme of ["bearer", "BEARER", "bEaReR"]) {
      const answer = await t.api.account({ headers: { authorization: `${scheme} ${key}` } });
      if (answer.status === 401 || succeeded(answer)) {
        t.observe("5/16", answer.status === 401 ? "the word `Bearer` exactly" : "in any case");
      } else t.fail("5/16", { expected: "200 or 401", seen: `${scheme}: ${answer.status} ${answer.text}` });
    }
  },
});

/** A key is its prefix and 32 letters and digits. */
const form = defineCase({
  id: "5/form",
  title: "a key has the prefix and 32 alphanumeric characters",
  requirements: ["5/4"],
  async run(t) {
    t.accepted(await t.api.account(), "the key itself");
    const keys = [t.home.key];
    if (t.has("wallets")) for (let made = 0; made < 5; made++) keys.push((await t.wallet({ credits: 0 })).key);
    // The prefix bears the maker's brand, of which a run knows the word in headers only.
    const whole = t.brand === "service" ? /^svc_live_[A-Za-z0-9]{32}$/ : /^[a-z0-9]+_live_[A-Za-z0-9]{32}$/;
    const wrong = keys
      .filter((key) => !whole.test(key))
      .map((key) => `${key.slice(0, 9)}..., ${key.length} characters`);
    t.check("5/4", wrong.length === 0, { expected: "`svc_live_` and 32 letters and digits", seen: wrong });
    t.check("5/4", new Set(keys).size === keys.length, {
      title: "Two wallets have one key.",
      expected: "a key a wallet",
    });
  },
});

/** Requests signed by a wallet (EIP-4361) are not available yet: without a key they are refused as any other. */
const signed = defineCase({
  id: "5/signed-by-wallet",
  title: "a request signed by a wallet and without a key is refused",
  requirements: ["5/11"],
  async run(t) {
    const account = await t.api.account();
    t.accepted(account, "the key itself");
    const wallet = String((account.json as { wallet?: unknown }).wallet);
    const text = `example.com wants you to sign in with your Ethereum account:\n${wallet}\n\nURI: https://example.com\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: ${new Date(t.clock.now()).toISOString()}`;
    const signature = `0x${"1b".repeat(65)}`;
    const encoded = Buffer.from(text).toString("base64");
    const attempts: readonly Record<string, string>[] = [
      { authorization: `SIWE ${encoded}.${signature}` },
      { authorization: `Bearer ${encoded}.${signature}` },
      { "x-siwe-message": encoded, "x-siwe-signature": signature },
      { [`x-${t.brand}-wallet`]: wallet, [`x-${t.brand}-signature`]: signature },
    ];
    for (const headers of attempts) {
      const answer = await t.as(null).raw({ method: "GET", path: "/v1/account", headers });
      t.check("5/11", answer.status === 401, { expected: "401", seen: `${answer.status} ${answer.text}` });
    }
  },
});

export const missingCases = [missing, nothing, unknown, nearly, malformed, form, signed];
