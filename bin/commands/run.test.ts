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

      requests    294 arrived; refused: 57 for lack of units, 0 for lack of workers
      jobs        237: 230 settled, 4 failed, 3 refunded at 120 s

                         p50        p95        p99       mean        max
      wait           0.901 s    1.954 s    1.988 s    0.976 s    2.837 s
      first token    1.455 s    2.685 s    4.143 s    1.506 s    4.514 s
      sojourn        5.038 s   18.645 s   32.473 s    7.136 s   52.333 s

      native      2 workers, 4 slots: 177 jobs, 32.7 % busy
      browser     2 workers, 2 slots: 60 jobs, 71.8 % busy
      units       1,500 bought = 6 available + 0 locked + 1,494 settled + 0 redeemed
                  of those settled: 953.70 to native workers, 279.00 to browser workers, 261.30 to the treasury
      disputes    12 opened: 12 fraudulent, 0 honest, 0 undecided
      stakes      2,000 tokens: 1,200 slashed; workers that left: 2
      deliveries  230: 230 delivered, 0 given up, 257 attempts; webhooks failed: 0
      cheats      23 jobs: 23 paid, 0 refused by 0 audits, 12 convicted on disputes; honest jobs found fraudulent: 0

      party     members  jobs  revenue     costs  slashed  refunds        net  tokens
      native          2   173   953.70      0.00    1,200     0.00     953.70  -1,200
      browser         2    57   279.00      0.00        0     0.00     279.00       0
      chat            5   230     0.00  1,494.00        0    51.00  -1,494.00       0
      treasury            230   261.30      0.00    1,200     0.00     261.30   1,200

      checks      all 25 invariants held
      trace       3,534 events, hash a08f2f5408b8e20e
      speed       1 d 0:10:06.000 simulated in ...
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

  it("writes a record over an older one, which a run that cannot begin leaves as it was", async () => {
    const record = join(scratch, "older.ndjson");
    const older = "an older record\n".repeat(100_000);
    writeFileSync(record, older);
    await expect(run({ record, chain: "anvil", rpc: "http://127.0.0.1:9" })).rejects.toThrow();
    expect(readFileSync(record, "utf8")).toBe(older);
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

  it("in lockstep with a planted defect ends where the chains part, with a line that runs into the same", async () => {
    const file = scenario(SMALL);
    const part = (options: Partial<RunCommandOptions>): Promise<string> =>
      run({ scenario: file, chain: "lockstep", ...options }).then(
        () => "",
        (error: Error) => error.message,
      );
    const first = await part({ defect: "one-share-for-all", seed: "3" });
    expect(first).toContain("The memory chain and the contracts part in block");
    const [, flags] = /to see it again: assay run \S+ (.*)$/m.exec(first)!;
    expect(flags).toBe("--seed 3 --defect one-share-for-all --chain lockstep");
    expect(await part({ defect: "one-share-for-all", seed: "3" })).toBe(first);
  });

  it("refuses a record that cannot be written, a scenario that is not there, and one that is wrong", async () => {
    await expect(run({ record: join(scratch, "no/such/file") })).rejects.toThrow("The record cannot be written.");
    await expect(run({ scenario: "none.yaml" })).rejects.toThrow("The scenario cannot be read.");
    await expect(run({ scenario: scenario("name: x\n") })).rejects.toThrow("The scenario lacks a field.");
  });
});
