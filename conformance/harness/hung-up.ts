/**
 * A connection may break at any time, and says nothing then. A service that closes it on the same request of a case each time that the case is begun
 * anew, and answers others meanwhile, has an error that it does not tell.
 */
import type { Exchange } from "../exchange/exchange.ts";
import type { Evidence } from "../findings/evidence.ts";
import { type Attempt, faultOf } from "./attempt.ts";

/** The audit's name in evidence. */
export const HUNG_UP = "audit:hung-up";

/** What the service or something before it may refuse to read to its end. */
const LARGE_BODY = 65_536;
const LONG_PATH = 2_000;

/** The first request of an attempt whose connection was closed with no answer. Null when there is none, or its size may be why. */
export function unanswered({ exchanges }: Attempt): Exchange | null {
  const found = exchanges.find(({ ending, status }) => ending === "reset" && status === 0);
  if (found === undefined || found.endpoint === null) return null;
  const { body, path } = found.request;
  return (body?.length ?? 0) > LARGE_BODY || path.length > LONG_PATH ? null : found;
}

/** The evidence of attempts that each ended in a closed connection: null unless it is the same request in all of them, and others were answered since. */
export function judgeHungUp(attempts: readonly Attempt[]): Evidence | null {
  const found = attempts.map((attempt) => ({ attempt, exchange: unanswered(attempt) }));
  const [first] = found;
  if (first?.exchange === null || first === undefined) return null;
  const places = new Set(found.map(({ attempt, exchange }) => (exchange === null ? null : placeOf(attempt, exchange))));
  const since = first.exchange.number;
  const alive = attempts.some(({ exchanges }) =>
    exchanges.some(({ ending, number }) => ending === "answered" && number > since),
  );
  if (places.size !== 1 || places.has(null) || !alive) return null;
  const exchanges = found.flatMap(({ exchange }) => exchange ?? []);
  return {
    kind: "failed",
    requirement: "7/1",
    source: { case: first.attempt.case, by: HUNG_UP },
    fault: faultOf(
      "7/1",
      {
        title: `the connection is closed with no answer: ${first.exchange.endpoint}`,
        expected: "an answer, as to other requests meanwhile",
        seen: exchanges.map(({ error }) => error ?? "closed"),
        exchanges,
      },
      [],
    ),
  };
}

/** Which request of its kind it is in its attempt: with the same draws the same. */
function placeOf({ exchanges }: Attempt, { endpoint, number }: Exchange): string {
  return `${endpoint} ${exchanges.filter((each) => each.endpoint === endpoint && each.number < number).length}`;
}
