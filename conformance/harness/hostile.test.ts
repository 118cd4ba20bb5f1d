/** Targets that do everything to keep a judge busy: each ends in a verdict with reasons, in time. */
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { cases } from "../cases/index.ts";
import type { LocalServer } from "../exchange/local-server.fixture.ts";
import type { Report } from "../findings/report.ts";
import { type Answer, honest, judgeWith, optionsFor, standIn } from "./stand-in.fixture.ts";

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const CHAT = "POST /v1/chat/completions";

/** All cases against a stand-in; the run has four seconds. */
async function judged(answers: Record<string, Answer>): Promise<Report> {
  server = await standIn(answers);
  const began = performance.now();
  const report = await judgeWith(cases, optionsFor(server.url, { timeout: 4_000, runs: 2 }));
  expect(performance.now() - began).toBeLessThan(9_000);
  expect(report.exitCode === 0 ? [] : report.because).not.toEqual(report.exitCode === 0 ? ["x"] : []);
  return report;
}

/** Writes for ever, as long as somebody reads. */
function pour(response: ServerResponse, text: string): void {
  const timer = setInterval(() => response.write(text), 1);
  response.on("close", () => clearInterval(timer));
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
    const report = await judged({ ...honest(), [CHAT]: (request) => request.socket.destroy() });
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
    const report = await judged({ ...answers, "GET /v1/account": burst(answers["GET /v1/account"] as Answer) });
    expect(report.requirements.find((row) => row.id === "4.4/1")?.status).toBe("passed");
    expect(report.requirements.find((row) => row.id === "7.1/7")?.status).toBe("observed");
  });

  it("that turns into a web page is not conformant, and crashes nobody", async () => {
    const page: Answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    };
    const answers = honest();
    const report = await judged({ ...answers, "GET /v1/jobs": page, "GET /v1/models/small": page, [CHAT]: page });
    expect(report.exitCode).toBe(1);
    expect(report.faults).toEqual([]);
  });

  it("that sends endless bodies is cut off", async () => {
    const endless: Answer = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      pour(response, "[".repeat(100_000));
    };
    const report = await judged({ ...honest(), "GET /v1/jobs": endless });
    expect(report.faults).toEqual([]);
  });

  it("that never ends a stream is left", async () => {
    const chunk = `data: ${JSON.stringify({ id: "chatcmpl-job_1", object: "chat.completion.chunk", created: 1, model: "small", choices: [{ index: 0, delta: { content: "x" }, finish_reason: null }] })}\n\n`;
    const stream: Answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      pour(response, chunk);
    };
    const report = await judged({ ...honest(), [CHAT]: stream });
    expect(report.faults).toEqual([]);
    expect(report.run.cutOff).toContain("--timeout");
  });

  it("that never answers is given up", async () => {
    const never: Answer = () => {};
    const report = await judged({ ...honest(), "GET /v1/jobs": never, [CHAT]: never });
    expect(report.run.cutOff).toContain("--timeout");
    expect(report.faults).toEqual([]);
  });
});
