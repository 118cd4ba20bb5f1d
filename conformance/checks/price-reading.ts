/**
 * Which reading of the price explains what was charged. The contract says "roughly 500" and gives two prices; one reading, with one edge, must
 * explain every charge of a target, whatever the tier and the form.
 */
import {
  chargeBy,
  FLAT_EDGE,
  PRICE_SCHEMES,
  type PriceReading,
  type PriceScheme,
} from "../../fixtures/protocol/prices.ts";

/** One charge: at which prices, for how many output tokens, how many units. */
export interface Charge {
  readonly flat: number;
  readonly perThousand: number;
  readonly tokens: number;
  readonly charged: number;
  /** Whether its request had no `max_tokens`: what is locked for it is an estimate, and it is charged no more than that. Null where nobody knows. */
  readonly unbounded?: boolean | null | undefined;
}

/** One honest way to reckon a price, in full. */
export interface Reckoning {
  readonly scheme: PriceScheme;
  /** The last number of tokens at the flat price. */
  readonly edge: number;
  /** From where the tokens "beyond" are counted: the edge itself, or the usual 500. */
  readonly from: number;
  /** Whether no long completion costs less than a short one. */
  readonly floored: boolean;
}

const EDGES = Array.from(
  { length: FLAT_EDGE.maximum - FLAT_EDGE.minimum + 1 },
  (_, index) => FLAT_EDGE.minimum + index,
);

/** Every honest reckoning, the usual ones first. */
export const RECKONINGS: readonly Reckoning[] = [FLAT_EDGE.usual, ...EDGES].flatMap((edge) =>
  PRICE_SCHEMES.flatMap((scheme) =>
    [...new Set([edge, FLAT_EDGE.usual])].flatMap((from) =>
      [false, true].map((floored) => ({ scheme, edge, from, floored })),
    ),
  ),
);

/** What a completion costs by one reckoning. */
export function costBy(reckoning: Reckoning, charge: Omit<Charge, "charged">): number {
  const { scheme, edge, from, floored } = reckoning;
  const { flat, perThousand, tokens } = charge;
  if (tokens <= edge) return flat;
  const beyond = chargeBy(scheme, { perRequest: flat, perThousand }, tokens, Math.min(from, tokens - 1));
  return floored ? Math.max(flat, beyond) : beyond;
}

/** How many tokens a service may reckon with where a request has no `max_tokens`; most reckon with so many that no text is longer. */
const ESTIMATES = [
  Number.POSITIVE_INFINITY,
  ...[500, 512, 550, 600, 700, 750, 768, 800, 900, 1_000, 1_024, 1_200, 1_250, 1_280, 1_500, 1_536, 1_600, 1_800],
  ...[2_000, 2_048, 2_400, 2_500, 3_000, 4_000, 4_096],
];

/** A reckoning, with the estimate beyond which a request without `max_tokens` pays no more. */
interface Way {
  readonly reckoning: Reckoning;
  readonly estimate: number;
}

const waysOf = (reckonings: readonly Reckoning[], estimates: readonly number[]): readonly Way[] =>
  estimates.flatMap((estimate) => reckonings.map((reckoning) => ({ reckoning, estimate })));

const USUAL_WAYS = waysOf(RECKONINGS, ESTIMATES.slice(0, 1));

function explains({ reckoning, estimate }: Way, charge: Charge): boolean {
  const costs = (tokens: number) => costBy(reckoning, { ...charge, tokens }) === charge.charged;
  const { tokens, unbounded = false } = charge;
  return (unbounded !== true && costs(tokens)) || (unbounded !== false && costs(Math.min(tokens, estimate)));
}

/** The ways left after each charge in turn; those without an estimate are preferred, and tried alone first. */
function follow(charges: readonly Charge[]): { readonly left: readonly Way[]; readonly odd: Charge | null } {
  const through = (ways: readonly Way[]) => {
    let left = ways;
    for (const charge of charges) {
      left = left.filter((way) => explains(way, charge));
      if (left.length === 0) return { left, odd: charge };
    }
    return { left, odd: null };
  };
  const plain = through(USUAL_WAYS);
  return plain.odd === null || charges.every(({ unbounded = false }) => unbounded === false)
    ? plain
    : through(waysOf(RECKONINGS, ESTIMATES));
}

/** The reckonings that explain all charges. */
export function explaining(charges: readonly Charge[]): readonly Reckoning[] {
  return [...new Set(follow(charges).left.map((way) => way.reckoning))];
}

/** Whether any honest reckoning gives this charge. */
export function explainable(charge: Charge): boolean {
  return follow([charge]).odd === null;
}

/** How far out an edge is looked for that would explain what no honest one does. */
const FAR_EDGES = [100, 200, 250, 256, 300, 400, 425, 449, 600, 700, 750, 800, 900, 999, 1_000, 1_024, 2_000];

/** The edge beyond 450 and 550 with which one reading explains all charges; null when there is none. */
export function edgeOutside(charges: readonly Charge[]): number | null {
  const found = FAR_EDGES.flatMap((edge) =>
    PRICE_SCHEMES.flatMap((scheme) =>
      [edge, FLAT_EDGE.usual].flatMap((from) => [false, true].map((floored) => ({ scheme, edge, from, floored }))),
    ),
  ).find((reckoning) => charges.every((charge) => costBy(reckoning, charge) === charge.charged));
  return found?.edge ?? null;
}

/** A charge that belongs to no reckoning that explains the ones before it; null when one explains all. */
export function firstUnexplained<Told extends Charge>(charges: readonly Told[]): Told | null {
  return follow(charges).odd as Told | null;
}

/** The readings among the reckonings that are left, each once. */
export function readingsOf(reckonings: readonly Reckoning[]): readonly PriceReading[] {
  return [...new Set(reckonings.map((each) => each.scheme.reading))];
}
