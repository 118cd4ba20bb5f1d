/**
 * ln, exp, pow and sqrt that give the same bits on every machine.
 *
 * ECMAScript leaves the last bit of `Math.log` and its kin to the engine, so one seed could give two runs. These use nothing but
 * + - * / and the square root, which IEEE 754 rounds in one way only, and reading or writing the bits of a double. The polynomials of
 * `ln` and `exp` are fdlibm's (Sun Microsystems, 1993; error below one unit in the last place).
 */

/** A double and its two halves, to take exponents apart and to put them together. */
const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const TWO_54 = 18014398509481984;

/** Square root, correctly rounded. */
export const sqrt: (x: number) => number = Math.sqrt;

/** 2^n for -1022 <= n <= 1023. */
function powerOfTwo(n: number): number {
  words[1 - HIGH] = 0;
  words[HIGH] = (n + 1023) << 20;
  return double[0]!;
}

/** x * 2^n where the result may be subnormal or infinite. */
function scale(x: number, n: number): number {
  if (n > 1023) return x * powerOfTwo(1023) * powerOfTwo(Math.min(n - 1023, 1023));
  if (n < -1022) return x * powerOfTwo(n + 54) * (1 / TWO_54);
  return x * powerOfTwo(n);
}

/** Exponent k of x = 2^k * m with sqrt(1/2) <= m < sqrt(2); `double[0]` then holds m. x is positive and finite. */
function split(x: number): number {
  let k = 0;
  if (x < 2.2250738585072014e-308) {
    k = -54;
    x *= TWO_54;
  }
  double[0] = x;
  let high = words[HIGH]!;
  k += (high >> 20) - 1023;
  high &= 0xfffff;
  // 0x6a09e is the mantissa of sqrt(2): larger ones are counted with the next power.
  const carry = high > 0x6a09e ? 1 : 0;
  words[HIGH] = high | ((1023 - carry) << 20);
  return k + carry;
}

/** Natural logarithm. `ln(0)` is -Infinity, of a negative number NaN. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  const k = split(x);
  const f = double[0]! - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + even + odd) + k * LN2_LOW) - f);
}

/** e to the x. Overflows to Infinity above 709.78, underflows to 0 below -745.13. */
export function exp(x: number): number {
  return expOfSum(x, 0);
}

/** e to the x + rest, where rest is what was lost in rounding x. */
function expOfSum(x: number, rest: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x > 709.782712893384) return Infinity;
  if (x < -745.1332191019411) return 0;
  const k = Math.floor(x * Math.LOG2E + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW - rest;
  const r = high - low;
  const t = r * r;
  const c =
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))));
  return scale(1 - (low - (r * c) / (2 - c) - high), k);
}

/**
 * x to the y for x >= 0; NaN for a negative x. As in `Math.pow`, anything to the 0 is 1.
 *
 * y ln x can reach 745, where the rounding of a double is a hundred times too coarse, so the logarithm and the product are carried as
 * unevaluated sums of two doubles (Dekker, 1971).
 */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (!(x >= 0) || Number.isNaN(y)) return NaN;
  if (x === 0 || x === Infinity) return (x === 0) === y > 0 ? 0 : Infinity;
  if (x === 1) return 1;
  if (!Number.isFinite(y)) return x > 1 === y > 0 ? Infinity : 0;

  const k = split(x);
  const m = double[0]!;
  // s = (m - 1) / (m + 1), so that ln m = 2 atanh s = 2s (1 + s^2/3 + s^4/5 + ...). m - 1 is exact; the sum is kept with its error.
  const top = m - 1;
  const bottom = m + 1;
  const s = top / bottom;
  const sError = (top - s * bottom - productError(s, bottom) - s * sumError(m, 1)) / bottom;
  const z = s * s;
  const zError = productError(s, s) + 2 * s * sError;
  const third = 1 / 3;
  const t = z * third;
  const tError = productError(z, third) + z * 1.850371707708594e-17 + zError * third;
  const tail = atanhTail(z);
  // 1 + t + tail, then times 2s, then plus k ln 2, each as a sum of two doubles.
  const series = 1 + (t + tail);
  const seriesError = t + tail - (series - 1) + (tail - (t + tail - t)) + tError;
  const p = 2 * s * series;
  const pError = productError(2 * s, series) + 2 * (s * seriesError + sError * series);
  const base = k * LN2_HIGH;
  const rest = sumError(base, p) + (pError + k * LN2_LOW);
  const log = base + p + rest;
  const logError = base + p - log + rest;

  const product = y * log;
  if (!(Math.abs(product) < 1000)) return product > 0 ? Infinity : 0;
  return expOfSum(product, productError(y, log) + y * logError);
}

/** z^2/5 + z^3/7 + ... for 0 <= z < 0.0295, the square of the largest s. */
function atanhTail(z: number): number {
  let sum = 0;
  for (let n = 23; n >= 5; n -= 2) sum = sum * z + 1 / n;
  return sum * z * z;
}

/** a + b = fl(a + b) + sumError(a, b), exactly (Knuth's two-sum). */
function sumError(a: number, b: number): number {
  const sum = a + b;
  const back = sum - a;
  return a - (sum - back) + (b - back);
}

/** a * b = fl(a * b) + productError(a, b), exactly, while nothing over- or underflows. */
function productError(a: number, b: number): number {
  const aTop = upperHalf(a);
  const bTop = upperHalf(b);
  const aRest = a - aTop;
  const bRest = b - bTop;
  return aRest * bRest - (a * b - aTop * bTop - aRest * bTop - aTop * bRest);
}

/** The upper 26 bits of a double's mantissa (Veltkamp's splitting). */
function upperHalf(a: number): number {
  const spread = 134217729 * a;
  return spread - (spread - a);
}
