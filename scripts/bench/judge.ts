/** How long the judge takes over the honest service, all of its cases and properties, in process. */
import { pathToFileURL } from "node:url";
import { judgeInProcess } from "../../bin/in-process.ts";

export interface JudgeRow {
  readonly name: string;
  readonly value: string;
}

export async function measureJudge(): Promise<JudgeRow[]> {
  const began = performance.now();
  const before = process.cpuUsage();
  const report = await judgeInProcess({ seed: 1 });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const passed = report.requirements.filter(({ status }) => status === "passed").length;
  if (report.findings.length > 0) throw new Error("the honest service was accused");
  return [
    { name: "the whole suite in process", value: `${seconds.toFixed(1)} s` },
    { name: "of processor time", value: `${((user + system) / 1e6).toFixed(1)} s` },
    { name: "requirements passed", value: String(passed) },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { name, value } of await measureJudge()) console.log(`  ${name.padEnd(60)}${value.padStart(8)}`);
}
