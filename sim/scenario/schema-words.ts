/** What the parts of the scenario's schema are made of. */

export const duration = {
  type: ["string", "integer"],
  description: 'Microseconds, or text with a unit: "20ms", "1.5s", "2min", "1h".',
};
export const draws = {
  type: ["string", "number", "object"],
  description:
    'A number, a duration, or a distribution: "lognormal(median=20ms, sigma=0.4)", "exponential(mean=2s)", "uniform(min=1, max=9)", "gamma(shape=2, scale=1s)", "weibull(shape=2, scale=1s)", "normal(mean=10, deviation=2)".',
};
export const share = { type: "number", minimum: 0, maximum: 1, description: "A probability." };
export const count = (minimum: number, description: string) => ({ type: "integer", minimum, description });
export const object = <P extends Record<string, unknown>>(
  description: string,
  required: readonly (keyof P & string)[],
  properties: P,
) => ({
  type: "object",
  description,
  required,
  additionalProperties: false,
  properties,
});
