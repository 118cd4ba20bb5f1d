import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Case, type CaseContext, defineCase } from "../cases/case.ts";
import type { LocalServer } from "../exchange/local-server.fixture.ts";
import type { Report } from "../findings/report.ts";
import { DEFAULTS, type TargetOptions } from "../target/options.ts";
import { type Answer, honest, json, judgeWith, optionsFor, standIn } from "./stand-in.fixture.ts";

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const caseOf = (run: (t: CaseContext) => Promise<void>, changes: Partial<Case> = {}): Case =>
  defineCase({ id: "9/test", title: "a test", requirements: ["9/1"], needs: ["key"], run, ...changes });

async function reportOf(
  cases: readonly Case[],
  changes: Partial<TargetOptions> = {},
  answers: Record<string, Answer> = honest(),
): Promise<Report> {
  server = await standIn(answers);
  return await judgeWith(cases, optionsFor(server.url, changes));
}

const row = (report: Report, id: string) => report.requirements.find((each) => each.id === id);

describe("a run", () => {
  it("passes what passed, and counts nothing else as passed", async () => {
    const report = await reportOf([caseOf(async (t) => t.pass("9/1"))]);
    expect(row(report, "9/1")).toMatchObject({ status: "passed", passes: 1 });
    expect(row(report, "4.7/3")).toMatchObject({
      status: "not-exercised",
      reasons: ["nothing in this run put it to the test"],
    });
    expect(row(report, "1/6")?.reasons[0]).toContain("no endpoint could do it");
    expect(report).toMatchObject({ verdict: "conformant", exitCode: 0 });
  });

  it("tells a failure with its exchanges as curl, without the key, and with the line that replays it", async () => {
    const report = await reportOf([
      caseOf(async (t) => {
        const answer = await t.api.account();
        t.check("9/1", false, { title: "it is wrong", expected: "right", seen: answer.status });
      }),
    ]);
    expect(report).toMatchObject({ verdict: "not conformant", exitCode: 1 });
    const [finding] = report.findings;
    expect(finding).toMatchObject({
      requirement: "9/1",
      title: "it is wrong",
      expected: "right",
      seen: "200",
      flaky: false,
      replay: "assay conform <base-url> --only 9/test --seed 1",
    });
    expect(finding?.transcript[0]?.curl).toContain("-H 'authorization: Bearer <key>'");
    expect(JSON.stringify(report)).not.toContain("svc_live_0123");
  });

  it("repeats what fails, and calls flaky what does not fail again", async () => {
    let times = 0;
    const report = await reportOf([
      caseOf(async (t) => {
        times += 1;
        t.check("9/1", times !== 1, { expected: "right", seen: times === 1 ? "wrong" : "right" });
      }),
    ]);
    expect(times).toBe(3);
    expect(report.findings[0]).toMatchObject({
      flaky: true,
      attempts: ["attempt 1: wrong", "attempt 2: as expected", "attempt 3: as expected"],
    });
    expect(report).toMatchObject({ verdict: "inconclusive", exitCode: 3 });
  });

  it("tries the whole property where nothing is wrong at the path that was given", async () => {
    let tries = 0;
    const property = caseOf((t) =>
      t.property({
        arbitrary: fc.nat(),
        run: async () => {
          tries += 1;
          // As a fault does that needs what was tried before it. From a path of no shrinking, all runs are tried once.
          t.check("9/1", tries < DEFAULTS.runs + 3, { expected: "right", seen: "wrong" });
        },
      }),
    );
    const report = await reportOf([property], { path: "1:0" });
    expect(report.findings).toMatchObject([{ requirement: "9/1", flaky: false }]);
    tries = -100;
    expect((await reportOf([property], { path: "1:0" })).findings).toEqual([]);
    expect(tries).toBe(-100 + 2 * DEFAULTS.runs);
  });

  it("blames nobody for a fault of the judge, names the case, and exits with 3", async () => {
    const report = await reportOf([
      caseOf(async () => {
        throw new TypeError("oops");
      }),
      caseOf(async (t) => t.pass("4.4/1"), { id: "4.4/after", requirements: ["4.4/1"] }),
    ]);
    expect(report.faults).toMatchObject([{ case: "9/test" }]);
    expect(report.findings).toEqual([]);
    expect(row(report, "9/1")).toMatchObject({
      status: "inconclusive",
      reasons: ["9/test: a fault of the judge itself"],
    });
    expect(row(report, "4.4/1")?.status).toBe("passed");
    expect(report.exitCode).toBe(3);
  });

  it("takes evidence for a row that the case did not name as a fault of the case", async () => {
    const report = await reportOf([caseOf(async (t) => t.pass("4.7/3"))]);
    expect(report.faults[0]?.message).toContain("4.7/3, which is not among its requirements");
  });

  it("leaves out what it cannot try, and says what to bring", async () => {
    const report = await reportOf([caseOf(async (t) => t.pass("9/1"), { needs: ["clock", "wallets"] })]);
    expect(row(report, "9/1")?.reasons[0]).toMatch(/needs a clock.*--control.*needs wallets/);
    expect(report.because).toEqual(["nothing was put to the test"].filter(() => report.counts.passed === 0));
  });

  it("makes undecided rows inconclusive when the positive control is refused", async () => {
    const report = await reportOf([
      caseOf(async (t) => {
        t.accepted(await t.api.job("job_1"), "reading a job");
        t.pass("9/1");
      }),
    ]);
    expect(row(report, "9/1")).toMatchObject({
      status: "inconclusive",
      reasons: ["9/test: reading a job was not accepted: 404 not_found"],
    });
    expect(report.exitCode).toBe(3);
  });

  it("never passes its budget", async () => {
    let chats = 0;
    const answers = honest();
    const chat = answers["POST /v1/chat/completions"] as Answer;
    const counted: Answer = (...given) => {
      chats += 1;
      chat(...given);
    };
    const account: Answer = (...given) => {
      const left = 1_000 - 2 * chats;
      json({ wallet: `0x${"a".repeat(40)}`, credits_remaining: left, usdg_value: left / 100 })(...given);
    };
    const spend = caseOf(async (t) => {
      for (let i = 0; i < 10; i++) await t.api.say();
    });
    const report = await reportOf(
      [spend],
      { maxCredits: 7 },
      { ...answers, "GET /v1/account": account, "POST /v1/chat/completions": counted },
    );
    expect(chats).toBe(3);
    expect(report.run.credits).toEqual({ spent: 6, most: 7 });
    expect(row(report, "9/1")?.reasons).toEqual(["9/test: the budget of 7 units is spent (--max-credits)"]);
  });

  it("never asks for what the wallet cannot pay", async () => {
    let chats = 0;
    const answers = honest();
    const chat = answers["POST /v1/chat/completions"] as Answer;
    const account: Answer = (...given) => {
      const left = 5 - 2 * chats;
      json({ wallet: `0x${"a".repeat(40)}`, credits_remaining: left, usdg_value: left / 100 })(...given);
    };
    const counted: Answer = (...given) => {
      chats += 1;
      chat(...given);
    };
    const spend = caseOf(async (t) => {
      for (let i = 0; i < 10; i++) await t.api.say();
    });
    const poor = { ...answers, "GET /v1/account": account, "POST /v1/chat/completions": counted };
    const report = await reportOf([spend], { maxCredits: 400 }, poor);
    expect(chats).toBe(2);
    expect(row(report, "9/1")?.reasons).toEqual(["9/test: the wallet has too few units left"]);
  });

  it("finds contradictions within one run", async () => {
    const report = await reportOf([
      caseOf(
        async (t) => {
          t.observe("4.6/18", "newest-before", { consistent: true });
          t.observe("4.6/18", "oldest-after", { consistent: true });
        },
        { requirements: ["4.6/18"] },
      ),
    ]);
    expect(report.observations.find((each) => each.requirement === "4.6/18")).toMatchObject({ contradicted: true });
    expect(report.findings[0]).toMatchObject({ requirement: "4.6/18", seen: "newest-before; oldest-after" });
  });

  it("judges every exchange, whatever the case is about", async () => {
    const answers = honest();
    const account = { wallet: "nobody", credits_remaining: "many", usdg_value: 10 };
    const report = await reportOf(
      [caseOf(async (t) => void (await t.api.account()))],
      {},
      { ...answers, "GET /v1/account": json(account) },
    );
    expect(report.findings.map((each) => [each.requirement, each.by])).toContainEqual(["2.1/1", "monitor:answers"]);
  });

  it("keeps what it has when it is interrupted", async () => {
    const interrupt = new AbortController();
    server = await standIn(honest());
    const report = await judgeWith(
      [
        caseOf(async (t) => t.pass("9/1")),
        caseOf(
          async (t) => {
            interrupt.abort();
            await t.api.account();
          },
          { id: "4.4/cut", requirements: ["4.4/1"] },
        ),
        caseOf(async (t) => t.pass("4.3/1"), { id: "4.3/never", requirements: ["4.3/1"] }),
      ],
      optionsFor(server.url),
      { signal: interrupt.signal },
    );
    expect(row(report, "9/1")?.status).toBe("passed");
    expect(row(report, "4.3/1")).toMatchObject({ status: "not-exercised", reasons: ["the run was interrupted"] });
    expect(report).toMatchObject({ verdict: "inconclusive", run: { cutOff: "the run was interrupted" } });
  });
});
