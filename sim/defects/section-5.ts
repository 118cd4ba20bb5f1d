/** Defects in authentication (section 5). */

import type { Changes, Inside } from "../facade/index.ts";
import type { Key } from "../facade/keys.ts";
import { answers, network, status } from "../facade/overrides.ts";
import type { Refusal } from "../facade/refusal.ts";
import { boundary, sequence, single } from "./defect.ts";

type Asked = { readonly method: string; readonly path: string };

/** Another answer to the question who is asking. */
const identifies = (
  change: (found: Key | Refusal, inside: Inside, authorization: string | undefined, asked: Asked) => Key | Refusal,
): Changes => ({
  door: (honest) => ({
    authenticate: (inside, authorization, asked) =>
      change(honest.authenticate(inside, authorization, asked), inside, authorization, asked),
  }),
});

/** Any active key, for a service that does not care whose it is. */
const someone = (inside: Inside): Key => inside.keys.create(inside.network.openWallet(0), inside.network.now);

export const section5 = [
  single(
    "missing-key-called-invalid",
    "5/1",
    "A request without a key is refused as one with an unknown key",
    identifies((found) =>
      "code" in found && found.code === "missing_api_key" ? { ...found, code: "invalid_api_key" } : found,
    ),
  ),
  single("unknown-key-forbidden", "5/2", "An unknown key is refused with 403", status("invalid_api_key", 403)),
  single(
    "models-without-key",
    "5/3",
    "Models are listed without a key",
    identifies((found, inside, authorization, { path }) =>
      authorization === undefined && path === "/v1/models" ? someone(inside) : found,
    ),
  ),
  single(
    "webhooks-without-key",
    "5/3",
    "Webhooks are deleted without a key",
    identifies((found, inside, authorization, { method }) =>
      authorization === undefined && method === "DELETE" ? someone(inside) : found,
    ),
  ),
  sequence(
    "second-wallet-spends-of-first",
    "5/5",
    "Requests of a wallet that has too little are paid by the wallet opened first",
    network((honest) => ({
      submit(request, listener) {
        const result = honest.submit(request, listener);
        if (result.ok || result.error !== "insufficient_credits" || request.wallet === 0) return result;
        return honest.submit({ ...request, wallet: 0 }, listener);
      },
    })),
  ),
  single(
    "key-in-header",
    "5/8",
    "Answers carry the key that asked",
    answers((answer, request) => ({
      ...answer,
      headers: { ...answer.headers, "x-authenticated-as": request.headers.authorization ?? "nobody" },
    })),
  ),
  single(
    "wallet-signature-enough",
    "5/11",
    "A request signed by a wallet needs no key",
    identifies((found, inside, authorization) =>
      /^(SIWE|EIP-?4361|Ethereum|Wallet)\b/i.test(authorization ?? "") ? someone(inside) : found,
    ),
  ),
  single(
    "poor-wallet-forbidden",
    "5/12",
    "A wallet without the units is refused with 403",
    status("insufficient_credits", 403),
  ),
  sequence(
    "poor-wallet-served-once",
    "5/12",
    "The first request that a wallet cannot pay is served all the same",
    () => {
      const served = new Set<number>();
      return network((honest) => {
        let nobody = -1;
        return {
          submit(request, listener) {
            const result = honest.submit(request, listener);
            const poor = !result.ok && result.error === "insufficient_credits";
            if (!poor || served.has(request.wallet)) return result;
            served.add(request.wallet);
            if (nobody < 0) nobody = honest.openWallet(1_000_000);
            return honest.submit({ ...request, wallet: nobody }, listener);
          },
        };
      });
    },
  ),
  single(
    "malformed-authorization-400",
    "5/14",
    "A malformed `Authorization` is refused with 400",
    identifies((found, _inside, authorization) =>
      "code" in found && authorization !== undefined && !/^Bearer \S+$/.test(authorization)
        ? { ...found, status: 400, code: "invalid_request" }
        : found,
    ),
  ),
  single(
    "basic-authorization-let-in",
    "5/14",
    "An `Authorization` of another scheme with the key in it is let in",
    identifies(
      (found, inside, authorization) => inside.keys.find(authorization?.replace(/^\S+\s+/, "") ?? "") ?? found,
    ),
  ),
  boundary("last-character-of-key-ignored", "5/15", "The last character of a key is not looked at", () => {
    const known = new Map<string, Key>();
    return identifies((found, _inside, authorization) => {
      const stem = authorization?.slice(0, -1) ?? "";
      if (!("code" in found)) known.set(stem, found);
      return "code" in found ? (known.get(stem) ?? found) : found;
    });
  }),
  single("case-of-key-ignored", "5/15", "The case of a key's letters is not looked at", () => {
    const known = new Map<string, Key>();
    return identifies((found, _inside, authorization) => {
      const folded = authorization?.toLowerCase() ?? "";
      if (!("code" in found)) known.set(folded, found);
      return "code" in found ? (known.get(folded) ?? found) : found;
    });
  }),
  single("unknown-job-before-key", "5/17", "A job that is not there is answered 404 before the key is looked at", {
    middleware: (inside) => (request, response, next) => {
      const id = /^\/v1\/jobs\/(\w+)$/.exec(request.target)?.[1];
      const known = id === undefined || inside.jobs.find(id) !== undefined;
      if (known || request.headers.authorization !== undefined) return next(request, response);
      const answer = inside.door.refuse(inside, {
        status: 404,
        code: "job_not_found",
        message: "There is no such job.",
      });
      const text = Buffer.from(JSON.stringify(answer.body));
      response.head(404, { "content-type": "application/json", "content-length": String(text.length) });
      response.write(text);
      response.end();
      return { abort() {} };
    },
  }),
  single("key-repeated-in-error", "7/11", "An error repeats the key", () => {
    let asked = "";
    return {
      door: (honest) => ({
        authenticate(inside, authorization, request) {
          asked = authorization ?? "none";
          return honest.authenticate(inside, authorization, request);
        },
        refuse(inside, refusal) {
          return honest.refuse(inside, { ...refusal, message: `${refusal.message} (${asked})` });
        },
      }),
    };
  }),
  sequence(
    "missing-key-differs-on-post",
    "7/10",
    "A request without a key is refused with 403 where it would change something",
    identifies((found, _inside, authorization, { method }) =>
      "code" in found && authorization === undefined && method !== "GET" ? { ...found, status: 403 } : found,
    ),
  ),
];
