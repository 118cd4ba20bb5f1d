/** Section 4.1 and section 8: the ranges of the sampling parameters. Both ends are inside. */
import type { Json } from "../api.ts";
import { type CaseContext, defineCase, type RequirementId } from "../case.ts";
import { accepts, refusedAsInvalid, refuses } from "../support/refusals.ts";

interface Range {
  readonly field: string;
  readonly within: RequirementId;
  readonly beyond: RequirementId;
  readonly inside: readonly number[];
  /** Just beyond each end, and far beyond. A difference that single precision cannot hold is nobody's fault. */
  readonly outside: readonly number[];
}

export const RANGES: readonly Range[] = [
  {
    field: "temperature",
    within: "4.1/9",
    beyond: "4.1/10",
    inside: [0, 2, 1.999, 0.001, 1],
    outside: [-0.001, 2.001, -1, 2.1, 3, 100],
  },
  ...["frequency_penalty", "presence_penalty"].map(
    (field): Range => ({
      field,
      within: "4.1/12",
      beyond: "4.1/13",
      inside: [-2, 2, -1.999, 1.999, 0],
      outside: [-2.001, 2.001, -2.5, 2.5, -100, 100],
    }),
  ),
];

/** What lies inside, plain and streamed. A given key pays for the two ends of all ranges in two requests. */
async function insides(t: CaseContext): Promise<void> {
  if (!t.home.fresh) {
    for (const end of [0, 1]) {
      const both = Object.fromEntries(RANGES.map((range) => [range.field, range.inside[end]]));
      const answer = await accepts(t, "4.1/9", "a value at the end of its range", both);
      t.check("4.1/12", answer.status === 200, { expected: "200", seen: answer.status });
    }
    return;
  }
  for (const { field, within, inside } of RANGES) {
    for (const value of inside) await accepts(t, within, `a \`${field}\` within its range`, { [field]: value });
    for (const value of inside.slice(0, 2)) {
      await accepts(t, within, `a \`${field}\` at the end of its range, in a stream,`, {
        [field]: value,
        stream: true,
      });
    }
  }
}

const ranges = defineCase({
  id: "4.1/ranges",
  title: "`temperature` and the penalties are accepted up to both ends of their ranges, and refused beyond",
  requirements: ["4.1/9", "4.1/10", "4.1/12", "4.1/13", "4.1/17"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    await insides(t);
    for (const { field, beyond, outside } of RANGES) {
      for (const value of outside) {
        const answer = await refuses(t, beyond, beside(field, value), { [field]: value });
        if (refusedAsInvalid(answer)) t.observe("4.1/17", String(answer.status));
      }
      for (const value of outside.slice(0, 2)) {
        await refuses(t, beyond, `${beside(field, value)}, in a stream,`, { [field]: value, stream: true });
      }
      // A valid neighbour excuses nothing.
      const others: Record<string, Json> = { temperature: 1, top_p: 0.5, frequency_penalty: 1, presence_penalty: 1 };
      await refuses(t, beyond, `${beside(field, 9)}, beside valid ones,`, { ...others, [field]: 9 });
    }
  },
});

const beside = (field: string, value: number): string => `a \`${field}\` ${value < 0 ? "below" : "above"} its range`;

export const rangeCases = [ranges];
