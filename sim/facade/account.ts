/** `GET /v1/account` (sections 2.1, 4.4) and the balance that every answer shows. */
import type { Answer } from "./http.ts";
import { type Call, type Inside, iso, usdg, view } from "./inside.ts";
import type { Key } from "./keys.ts";

export function getAccount(inside: Inside, call: Call): Answer {
  return { status: 200, body: inside.door.accountBody(inside, call.key) };
}

/** The balance of a wallet, with or without what its unfinished jobs have locked, as the shape says. */
export function balance(inside: Inside, wallet: number): number {
  const available = inside.network.available(wallet);
  return inside.shape.balanceInFlight === "without_locked" ? available : available + lockedUnits(inside, wallet);
}

function lockedUnits(inside: Inside, wallet: number): number {
  return (
    inside.jobs
      .of(wallet)
      .map((record) => view(inside, record))
      .filter((job) => job.completedAt < 0)
      // A difference comes back with the settlement's block, which the job's end may have to wait for.
      .reduce((sum, job) => sum + job.locked - job.returned, 0)
  );
}

export function accountBody(inside: Inside, key: Key): Readonly<Record<string, unknown>> {
  const { network, shape, door } = inside;
  const units = door.balance(inside, key.wallet);
  const toppedUp = network.lastTopUpAt(key.wallet);
  return {
    wallet: network.walletAddress(key.wallet),
    credits_remaining: units,
    usdg_value: usdg(units),
    last_topup_at: toppedUp >= 0 ? iso(inside, toppedUp) : shape.neverToppedUp === "null" ? null : undefined,
    api_key_created_at: shape.accountTellsKeyCreation ? iso(inside, key.createdAt) : undefined,
  };
}
