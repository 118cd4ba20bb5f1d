/** Targets that do everything to keep a judge busy: each ends in a verdict with reasons, in time. */
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { defineCase } from "../cases/case.ts";
import { cases } from "../cases/index.ts";
import type { LocalServer } from "../exchange/local-server.fixture.ts";
import type { Report } from "../findings/report.ts";
import type { TargetOptions } from "../target/options.ts";
import { type Answer, honest, judgeWith, optionsFor, standIn } from "./stand-in.fixture.ts";

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const CHAT = "POST /v1/chat/completions";

/** The cases against a stand-in. Where the target keeps the judge for ever, the run's time ends it, and however short that is, there is a verdict. */
async function judged(answers: Record<string, Answer>, changes: Partial<TargetOptions> = {}): Promise<Report> {
  server = await standIn(answers);
  const report = await judgeWith(cases, optionsFor(server.url, { timeout: 1_200, runs: 2, ...changes }));
  if (report.exitCode !== 0) expect(report.because).not.toEqual([]);
  expect(report.faults).toEqual([]);
  return report;
}

/** Writes for ever, as long as somebody reads. */
function pour(response: ServerResponse, text: string): void {
  const next = (): void => {
    if (!response.destroyed) response.write(text, () => setImmediate(next));
  };
  next();
}

const slowly =
  (answer: Answer): Answer =>
  (...given) =>
    void setTimeout(() => answer(...given), 150);

describe("a hostile target", () => {
  it("that is slow is judged as far as time goes", async () => {
    const answers = Object.fromEntries(Object.entries(honest()).map(([name, answer]) => [name, slowly(answer)]));
    const report = await judged(answers);
    expect(report.run.cutOff).toContain("--timeout");
    expect(report.requirements.some((row) => row.reasons.some((reason) => reason.includes("--timeout")))).toBe(true);
  });

  it("that resets every chat fails nothing about chats", async () => {
    const answers = { ...honest(), [CHAT]: ((request) => request.socket.destroy()) satisfies Answer };
    const report = await judged(answers, { only: ["2.4", "4.1"], timeout: 20_000 });
    expect(report.findings.filter((each) => each.requirement.startsWith("2.4/"))).toEqual([]);
    expect(report.requirements.find((row) => row.id === "2.4/2")?.status).not.toBe("passed");
  });

  it("that answers 429 in bursts is waited for", async () => {
    let count = 0;
    const answers = honest();
    const burst =
      (answer: Answer): Answer =>
      (request, response, body) => {
        count += 1;
        if (count % 3 !== 0) response.writeHead(429, { "retry-after": "0" }).end("slow down");
        else answer(request, response, body);
      };
    const account = burst(answers["GET /v1/account"] as Answer);
    const report = await judged(
      { ...answers, "GET /v1/account": account },
      { only: ["4.4/1", "7.1/7"], timeout: 20_000 },
    );
    expect(report.requirements.find((row) => row.id === "4.4/1")?.status).toBe("passed");
    expect(report.requirements.find((row) => row.id === "7.1/7")?.status).toBe("observed");
  });

  it("that answers 429 to what was not waited for blames nobody, and is tried anew", async () => {
    const tried = async (limited: number) => {
      let count = 0;
      const account = honest()["GET /v1/account"] as Answer;
      const answers = {
        ...honest(),
        "GET /v1/account": ((request, response, body) => {
          // The first request is the run's own, which reads the balance of its key.
          count += 1;
          if (count > 1 && count <= 1 + limited) response.writeHead(429).end("slow down");
          else account(request, response, body);
        }) satisfies Answer,
      };
      const started = defineCase({
        id: "4.4/started",
        title: "what is only started is answered",
        requirements: ["4.4/1"],
        needs: ["key"],
        async run(t) {
          const { status } = await t.api.account().start().done;
          t.check("4.4/1", status === 200, { title: "refused", expected: "200", seen: status });
        },
      });
      server = await standIn(answers);
      const report = await judgeWith([started], optionsFor(server.url));
      return {
        row: report.requirements.find((row) => row.id === "4.4/1"),
        tried: report.cases[0],
        exit: report.exitCode,
      };
    };
    expect(await tried(2)).toMatchObject({ row: { status: "passed", failures: 0 }, tried: { outcome: "passed" } });
    await server?.close();
    // What the limit never let through was not put to the test: that is no fault, and no doubt of what else was seen.
    expect(await tried(100)).toMatchObject({ row: { failures: 0 }, tried: { outcome: "not-exercised" }, exit: 0 });
  });

  it("that turns into a web page is not conformant, and crashes nobody", async () => {
    const page: Answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    };
    const answers = honest();
    const pages = { "GET /v1/jobs": page, "GET /v1/models/small": page, [CHAT]: page };
    const report = await judged({ ...answers, ...pages }, { only: ["2.4", "4.3", "4.6"], timeout: 20_000 });
    expect(report.exitCode).toBe(1);
  });

  it("that sends endless bodies is cut off", async () => {
    const endless: Answer = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      pour(response, "[".repeat(100_000));
    };
    const report = await judged({ ...honest(), "GET /v1/jobs": endless }, { only: ["4.6"] });
    expect(report.requirements.find((row) => row.id === "4.6/1")?.status).not.toBe("passed");
  });

  it("that never ends a stream is left", async () => {
    const chunk = `data: ${JSON.stringify({ id: "chatcmpl-job_1", object: "chat.completion.chunk", created: 1, model: "small", choices: [{ index: 0, delta: { content: "x" }, finish_reason: null }] })}\n\n`;
    const stream: Answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      pour(response, chunk);
    };
    const report = await judged({ ...honest(), [CHAT]: stream });
    expect(report.run.cutOff).toContain("--timeout");
  });

  it("that never answers is given up", async () => {
    const never: Answer = () => {};
    const report = await judged({ ...honest(), "GET /v1/jobs": never, [CHAT]: never });
    expect(report.run.cutOff).toContain("--timeout");
  });
});
