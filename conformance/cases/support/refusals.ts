/** Refusals of a request that is wrong in one way, and what they must not be. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import type { Json } from "../api.ts";
import type { CaseContext, RequirementId } from "../case.ts";

/** An object `error` in a JSON body: what section 7 calls an error object, as far as a case needs it. */
export function isErrorObject(exchange: Exchange): boolean {
  const error = at(exchange.json, "error");
  return typeof error === "object" && error !== null && !Array.isArray(error);
}

/** Refused as an invalid value may be: 400, or 422, which judging leaves open. */
export function refusedAsInvalid(exchange: Exchange): boolean {
  return exchange.status === 400 || exchange.status === 422;
}

/**
 * Refused as what is another wallet's may be: as unknown (404), or as not allowed (403, "the operation is not allowed"). The contract says of
 * neither that it is the one.
 */
export function refusedToStranger(exchange: Exchange): boolean {
  return exchange.status === 404 || exchange.status === 403;
}

/** How an answer reads in a finding: `400 invalid_request`, or the status and the beginning of the body. */
export function told(exchange: Exchange): string {
  const code = errorCode(exchange);
  return code === null ? `${exchange.status} ${exchange.text.slice(0, 200)}`.trim() : `${exchange.status} ${code}`;
}

/** Ends the case where no whole answer came: then nothing is known of what the service thinks. */
export function answered(t: CaseContext, exchange: Exchange): Exchange {
  if (exchange.ending !== "answered") t.giveUp(`no whole answer came: ${exchange.ending}`);
  return exchange;
}

/** As `answered`; and ends the case where somebody's wallet has too few units for the request, which says nothing else of it. */
export function paidFor(t: CaseContext, exchange: Exchange): Exchange {
  if (!t.home.fresh && exchange.status === 402) t.giveUp("the wallet has too few units left");
  return answered(t, exchange);
}

/**
 * The request must be refused with 400 or 422 and an error object, and the finding says what was wrong with it. `what` is the fault in a
 * few words that do not vary: "a `temperature` above 2.0".
 */
export async function refuses(
  t: CaseContext,
  row: RequirementId,
  what: string,
  changes: Readonly<Record<string, Json>>,
): Promise<Exchange> {
  const first = await t.api.say(changes, { cost: 0 });
  if (first.ending === "reset") await judgeHungUp(t, row, what, changes);
  // The units may be looked for before the form.
  const answer = paidFor(t, first);
  t.check(row, refusedAsInvalid(answer) && isErrorObject(answer), {
    title: `${what} is not refused`,
    expected: "400 or 422 with an error object",
    seen: told(answer),
  });
  return answer;
}

/** The request must be accepted; `what` says what is allowed in a few words that do not vary. */
export async function accepts(
  t: CaseContext,
  row: RequirementId,
  what: string,
  changes: Readonly<Record<string, Json>>,
): Promise<Exchange> {
  const answer = answered(t, await t.api.say(changes));
  // Neither a shortage nor a dead worker says anything about the value.
  if (answer.status === 402 || answer.status >= 500) {
    await judgeBreakage(t, row, what, changes);
    t.giveUp(`a valid chat was answered ${told(answer)}`);
  }
  t.check(row, answer.status === 200, { title: `${what} is refused`, expected: "200", seen: told(answer) });
  return answer;
}

/** A worker may drop out of any job. A chat that fails again and again, each time beside one without the value that does not, fails by it. */
async function judgeBreakage(
  t: CaseContext,
  row: RequirementId,
  what: string,
  changes: Readonly<Record<string, Json>>,
): Promise<void> {
  const { model, stream } = changes;
  const plain = { ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) };
  const again: Exchange[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const without = await t.api.say(plain);
    const answer = await t.api.say(changes);
    if (without.status !== 200 || answer.status < 500) return;
    again.push(without, answer);
  }
  t.check(row, false, {
    title: `${what} makes the service fail`,
    expected: "200, as without it",
    seen: again.map(told),
    exchanges: again,
  });
}

/** A connection may break at any time. A service that hangs up on one request again and again, each time beside one that it answers, fails by it. */
async function judgeHungUp(
  t: CaseContext,
  row: RequirementId,
  what: string,
  changes: Readonly<Record<string, Json>>,
): Promise<void> {
  const again: Exchange[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beside = await t.api.models();
    const answer = await t.api.say(changes, { cost: 0 });
    if (beside.ending !== "answered" || answer.ending !== "reset") return;
    again.push(beside, answer);
  }
  t.check(row, false, {
    title: `${what} makes the service hang up`,
    expected: "400 or 422 with an error object",
    seen: again.map((each) => (each.ending === "answered" ? told(each) : "no answer: the connection was closed")),
    exchanges: again,
  });
}

const ROUNDS = 3;

/** An open point: any answer but a 5xx. Returns the choice in the words of the catalogue. */
export function choiceOf(exchange: Exchange): string {
  return exchange.status < 300 ? "accepted" : String(exchange.status);
}
