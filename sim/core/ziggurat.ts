/**
 * Tables of the ziggurat method (Marsaglia and Tsang, 2000): a falling density covered by 256 layers of equal area, so that 99 draws in 100
 * need one multiplication and one comparison. They are computed at start with `core`'s own maths and so are the same everywhere.
 */
import { exp, ln, sqrt } from "./maths.ts";

export interface Ziggurat {
  /** `edge[i]` is the right end of layer i. `edge[0]` is the base layer with its tail drawn as a box; `edge[1]` is where the tail begins. */
  readonly edge: Float64Array;
  /** `edge[i + 1] / edge[i]`: a point left of that share of layer i lies under the density for certain. */
  readonly ratio: Float64Array;
  /** The density at `edge[i]`. */
  readonly height: Float64Array;
}

const LAYERS = 256;

/**
 * @param tail where the tail begins
 * @param area the area of one layer; of the base layer, together with the tail
 */
function build(tail: number, area: number, density: (x: number) => number, inverse: (y: number) => number): Ziggurat {
  const edge = new Float64Array(LAYERS + 1);
  edge[0] = area / density(tail);
  edge[1] = tail;
  for (let i = 2; i < LAYERS; i++) edge[i] = inverse(area / edge[i - 1]! + density(edge[i - 1]!));
  edge[LAYERS] = 0;
  return {
    edge,
    ratio: edge.map((x, i) => (i < LAYERS ? edge[i + 1]! / x : 0)),
    height: edge.map((x) => density(x)),
  };
}

/** e^-x; mean 1. */
export const EXPONENTIAL = build(
  7.69711747013105,
  0.003949659822581557,
  (x) => exp(-x),
  (y) => -ln(y),
);

/** The right half of e^(-x^2 / 2). */
export const NORMAL = build(
  3.654152885361009,
  0.00492867323399,
  (x) => exp(-0.5 * x * x),
  (y) => sqrt(-2 * ln(y)),
);
