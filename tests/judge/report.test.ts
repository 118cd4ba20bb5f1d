/** The report as a document: of the schema that is published, the same to the last byte when nothing has changed, with replay lines that replay. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { fileSchemas } from "../../bin/schemas.ts";
import { reportSchema } from "../../conformance/index.ts";
import { assay, paste, reportOf, served } from "./program.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
const published = fileSchemas.find(({ name }) => name === "report")?.schema() as { readonly $id: string };
const fits = ajv.compile(published);

/** What does not fit, in words. */
function misfits(report: unknown): readonly string[] {
  fits(report);
  return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A report of the simulated service in process. */
const demo = (...words: readonly string[]) => assay("demo", "--json", ...words.flatMap((word) => word.split(" ")));

describe("a report", () => {
  it("fits the published schema, with findings of every kind and without", async () => {
    expect(published.$id).toMatch(/report/);
    const reports = [
      await demo("--only 4.7/window --only 6.4/success"),
      await demo("--defect window-of-61-seconds --only 4.7/window"),
      await demo("--defect key-in-header --only 4.2"),
      await demo("--defect two-readings-of-delays --only 6.4/10"),
      await demo("--defect units-expire --only sequences/everything"),
    ].map(reportOf);
    for (const report of reports) expect(misfits(report)).toEqual([]);
    expect(reports.map(({ exitCode }) => exitCode)).toEqual([0, 1, 1, 1, 1]);
    const findings = reports.flatMap((report) => report.findings);
    expect(new Set(findings.map(({ by }) => by.split(":")[0]))).toEqual(new Set(["case", "monitor", "audit"]));
    expect(findings.some(({ replay }) => replay.includes("--path"))).toBe(true);
  }, 60_000);

  it("fits no more with a field less, a field more, or another type", async () => {
    const report = reportOf(await demo("--defect window-of-61-seconds --only 4.7/11"));
    expect(misfits(report)).toEqual([]);
    const { required } = reportSchema as unknown as { readonly required: readonly string[] };
    for (const field of required) expect(misfits({ ...report, [field]: undefined })).not.toEqual([]);
    expect(misfits({ ...report, more: 1 })).not.toEqual([]);
    expect(misfits({ ...report, exitCode: 2 })).not.toEqual([]);
    for (const changed of [{ replay: 7 }, { requirement: "4.7" }, { flaky: "no" }, { fingerprint: "abc" }]) {
      expect(misfits({ ...report, findings: [{ ...report.findings[0], ...changed }] })).not.toEqual([]);
    }
  });

  it("is the same byte for byte of two runs with one seed, in process", async () => {
    const once = (seed: number) =>
      demo(
        `--defect unsubscribed-low-credit --seed ${seed} --only 4.7/window --only 6.1/credit-low --only sequences/everything`,
      );
    const [first, second, other] = [await once(5), await once(5), await once(6)];
    expect(reportOf(first).findings).not.toEqual([]);
    expect(second.stdout).toBe(first.stdout);
    expect(other.stdout).not.toBe(first.stdout);
  }, 60_000);

  it("is the same over HTTP on the manual clock, and its replay lines show the findings again when they are pasted", async () => {
    const defects = ["--defect", "window-of-61-seconds"];
    const only = ["--only", "4.7/window", "--only", "6.4/success", "--only", "concurrency/last-units"];
    const judged = async (ports: readonly string[], pasted = false) => {
      const service = await served(...defects, ...ports);
      try {
        const ran = await assay("conform", service.base, "--control", service.control, ...only, "--json", "--quiet");
        const report = reportOf(ran);
        const [finding] = report.findings;
        const again =
          pasted && finding !== undefined ? reportOf(await paste(`${finding.replay} --json --quiet`)) : null;
        return { service, ran, report, finding, again };
      } finally {
        await service.stop();
      }
    };
    const first = await judged(["--port", "0", "--control-port", "0"], true);
    expect(first.finding?.requirement).toBe("4.7/11");
    expect(first.again?.findings.map(({ fingerprint }) => fingerprint)).toContain(first.finding?.fingerprint);
    // The same ports: addresses are part of a report.
    const portOf = (address: string): string => new URL(address).port;
    const { base, control } = first.service;
    const second = await judged(["--port", portOf(base), "--control-port", portOf(control)]);
    expect(second.ran.stdout).toBe(first.ran.stdout);
  }, 60_000);
});
