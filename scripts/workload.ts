/**
 * Makes the figures of `fixtures/workloads` from a recorded trace: `tsx scripts/workload.ts <trace.csv>` writes them anew.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadArrivalTrace } from "../sim/scenario/index.ts";

const PARTS = 100;

/** The sorted values in a hundred equal parts, each by its mean. */
export function parts(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return Array.from({ length: PARTS }, (_, part) => {
    const from = Math.round((part * sorted.length) / PARTS);
    const slice = sorted.slice(from, Math.round(((part + 1) * sorted.length) / PARTS));
    return Math.round(slice.reduce((sum, value) => sum + value, 0) / slice.length);
  });
}

export function workloadModule(file: string): string {
  const { time, promptTokens, outputTokens } = loadArrivalTrace(file);
  return `/**
 * Figures of an hour of requests to a production conversation service, 16 November 2023: lengths in a hundred equal parts, each by its mean.
 *
 * Derived by \`scripts/workload.ts\` from AzureLLMInferenceTrace_conv.csv of the Azure public dataset ("Azure LLM inference trace 2023", CC-BY 4.0):
 * Patel et al., "Splitwise: Efficient generative LLM inference using phase splitting", ISCA 2024.
 */
export const CONVERSATION_2023 = {
  requests: ${time.length},
  /** Microseconds from the first request to the last. */
  duration: ${time.at(-1)},
  promptTokens: ${JSON.stringify(parts(promptTokens))},
  outputTokens: ${JSON.stringify(parts(outputTokens))},
} as const;
`;
}

const [, script, trace] = process.argv;
if (script === fileURLToPath(import.meta.url) && trace !== undefined) {
  writeFileSync(new URL("../fixtures/workloads/conversation-2023.ts", import.meta.url), workloadModule(trace));
}
