/** The few functions of jstat that assay calls; the package has no types of its own. */
declare module "jstat" {
  export const jStat: {
    readonly studentt: { inv(probability: number, degrees: number): number };
    readonly normal: {
      inv(probability: number, mean: number, deviation: number): number;
      cdf(x: number, mean: number, deviation: number): number;
    };
    readonly gamma: { inv(probability: number, shape: number, scale: number): number };
    lowRegGamma(shape: number, x: number): number;
    gammaln(x: number): number;
    readonly binomial: { cdf(successes: number, trials: number, probability: number): number };
    readonly beta: { inv(probability: number, alpha: number, beta: number): number };
  };
  const whole: { readonly jStat: typeof jStat };
  export default whole;
}
