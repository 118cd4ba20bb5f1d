/** Writes a scenario as a file: what `parseScenario` reads back is the same scenario. */
import { stringify } from "yaml";
import type { Scenario } from "./scenario.ts";

/** @param comment lines that go before it, each marked as a comment */
export function scenarioText(scenario: Scenario, comment: readonly string[] = []): string {
  const head = comment.map((line) => (line === "" ? "#\n" : `# ${line}\n`)).join("");
  return `${head}${head === "" ? "" : "\n"}${stringify(scenario, { aliasDuplicateObjects: false, lineWidth: 0 })}`;
}
