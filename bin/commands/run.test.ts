import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { kinds, readNdjson, replay } from "../../sim/trace/index.ts";
import { type RunCommandOptions, runCommand } from "./run.ts";

const scratch = mkdtempSync(join(tmpdir(), "assay-run-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const SMALL = `name: small
duration: 10min
workers:
  - { kind: native, count: 2, slots: 2, dishonest: 0.1, failing: 0.05 }
  - { kind: browser, count: 2, silent: 0.05 }
clients:
  - name: chat
    wallets: 5
    units: 300
    arrivals: { process: poisson, rate: 0.5 }
    models: { grove-8b: 3, brook-3b: 1 }
    checks: { share: 0.5 }
    webhook: { events: [job.completed], success: 0.9 }
`;

function scenario(text = SMALL): string {
  const file = join(scratch, "small.yaml");
  writeFileSync(file, text);
  return file;
}

async function run(changes: Partial<RunCommandOptions> = {}): Promise<{ code: number; out: string; err: string }> {
  const streams = { out: "", err: "" };
  const sink = (name: "out" | "err") => ({
    write: (text: string) => {
      streams[name] += text;
    },
  });
  const options = { json: false, quiet: true, ...changes, scenario: changes.scenario ?? scenario() };
  const code = await runCommand(options, { out: sink("out"), err: sink("err"), env: {} });
  return { code, ...streams };
}

describe("assay run", () => {
  it("prints the figures, and says that it is a single run", async () => {
    const { code, out, err } = await run();
    expect(code).toBe(0);
    expect(err).toBe("");
    const steady = out.replace(scratch, "").replace(/in [\d.]+ s: .*/, "in ...");
    expect(steady).toMatchInlineSnapshot(`
      "small  /small.yaml
      single run, seed 1: one draw of chance, not yet a finding

      requests    294 arrived; refused: 63 for lack of units, 0 for lack of workers
      jobs        231: 224 settled, 4 failed, 3 refunded at 120 s

                         p50        p95        p99       mean        max
      wait           0.899 s    1.966 s    2.671 s    0.991 s    4.261 s
      first token    1.396 s    2.828 s    3.944 s    1.514 s    4.615 s
      sojourn        5.464 s   17.318 s   24.723 s    7.037 s   31.393 s

      native      2 workers, 4 slots: 174 jobs, 29.4 % busy
      browser     2 workers, 2 slots: 57 jobs, 74.9 % busy
      units       1,500 bought = 8 available + 0 locked + 1,492 settled + 0 redeemed
                  of those settled: 952.00 to native workers, 279.00 to browser workers, 261.00 to the treasury
      disputes    11 opened: 11 fraudulent, 0 honest, 0 undecided
      stakes      2,000 tokens: 1,100 slashed; workers that left: 2
      deliveries  224: 224 delivered, 0 given up, 251 attempts; webhooks failed: 0

      checks      all 13 invariants held
      trace       3,198 events, hash 2fa60dc411be6187
      speed       1 d 0:09:38.000 simulated in ...
      "
    `);
  });

  it("prints them as JSON, the same for the same seed and others for another", async () => {
    const [first, second, other] = [
      await run({ json: true }),
      await run({ json: true }),
      await run({ json: true, seed: "2" }),
    ].map(({ out }) => ({ ...JSON.parse(out), wall: 0 }));
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      name: "small",
      complete: true,
      violationCount: 0,
      figures: { jobs: { unfinished: 0 } },
    });
    expect(other.hash).not.toBe(first.hash);
  });

  it("records every event: what was recorded has the run's hash", async () => {
    const record = join(scratch, "events.ndjson");
    const { hash } = JSON.parse((await run({ json: true, record })).out);
    expect(replay(kinds, readNdjson(kinds, readFileSync(record, "utf8").split("\n"))).hash()).toBe(hash);
  });

  it("keeps what it has when Ctrl-C ends it", async () => {
    const long = SMALL.replace("10min", "100000h");
    const going = run({ scenario: scenario(long) });
    setTimeout(() => process.emit("SIGINT"), 300);
    const { code, out } = await going;
    expect(code).toBe(130);
    expect(out).toContain("ended early, at ");
  });

  it("refuses a record that cannot be written, a scenario that is not there, and one that is wrong", async () => {
    await expect(run({ record: join(scratch, "no/such/file") })).rejects.toThrow("The record cannot be written.");
    await expect(run({ scenario: "none.yaml" })).rejects.toThrow("The scenario cannot be read.");
    await expect(run({ scenario: scenario("name: x\n") })).rejects.toThrow("The scenario lacks a field.");
  });
});
