/** Balances of a sequence: after each step what they may be, and what they must be once nothing is in flight. */
import { at, succeeded } from "../../exchange/exchange.ts";
import { isPossible, possibleBalance, rowOfWrongBalance } from "../../model/balance.ts";
import type { KeyState } from "../../target/controls.ts";
import { slack } from "../support/pace.ts";
import { type Play, type Player, playerOf } from "./play.ts";

export async function topUp(play: Play, number: number, units: number): Promise<void> {
  const player = playerOf(play, number);
  await player.wallet.topUp(units);
  player.model.bought += units;
  player.model.happened.push({ low: "2.1/9", high: "2.1/9", units: [units] });
  for (const hook of play.hooks) if (hook.player === player && hook.deletedAt === null) hook.topUps += 1;
}

export async function setKey(play: Play, number: number, state: KeyState): Promise<void> {
  const player = playerOf(play, number);
  await play.t.controls.setKeyState(player.wallet.key, state);
  player.model.key = state;
}

/** Reads the account of a wallet and holds the balance against what happened. */
export async function observeBalance(play: Play, player: Player): Promise<boolean> {
  const { t } = play;
  const { wallet, model } = player;
  const exchange = await wallet.api.account();
  if (model.key !== "active") {
    const wanted = model.key === "revoked" ? 401 : 403;
    return t.check(model.key === "revoked" ? "3.3/2" : "3.3/3", exchange.status === wanted, {
      expected: `${wanted} with a ${model.key} key`,
      seen: exchange.status,
    });
  }
  const read = t.check("3.3/1", succeeded(exchange), {
    title: "an active key is refused",
    expected: "200",
    seen: `${exchange.status} ${exchange.text}`.slice(0, 300),
  });
  const balance = at(exchange.json, "credits_remaining");
  if (!read || typeof balance !== "number") return false;
  const now = t.clock.now();
  const possible = possibleBalance(model, now);
  noteLow(play, player, possible.exact === null ? null : balance, possible.least);
  if (!isPossible(balance, possible)) {
    const nearest = possible.exact?.[0] ?? (balance < possible.least ? possible.least : possible.most);
    const row = rowOfWrongBalance(model.happened, balance - nearest, !model.read && now > model.rightAt);
    t.fail(row, {
      title: "the balance is not the sum of what happened to it",
      expected: `${possible.exact?.join(" or ") ?? `${possible.least} to ${possible.most}`} units`,
      seen: balance,
      exchanges: exchange,
    });
    return false;
  }
  if (possible.exact === null) return true;
  for (const each of model.happened) t.pass(balance < model.bought ? each.low : each.high);
  t.pass("4.4/3");
  model.happened = [];
  model.rightAt = now - slack(t);
  model.read = false;
  return true;
}

/** Remembers crossings of the threshold of `credit.low`, for the webhooks that are told of them. */
function noteLow(play: Play, player: Player, quiet: number | null, least: number): void {
  const threshold = play.t.controls.lowCreditThreshold;
  for (const hook of play.hooks) {
    if (hook.player !== player || hook.deletedAt !== null) continue;
    if (least < threshold) hook.maybeLow = true;
    if (quiet === null) continue;
    if (quiet >= threshold) hook.above = true;
    else if (hook.above) hook.crossed = true;
  }
}
