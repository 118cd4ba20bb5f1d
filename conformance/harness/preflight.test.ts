import { afterEach, describe, expect, it } from "vitest";
import { ConformError } from "../errors.ts";
import type { LocalServer } from "../exchange/local-server.fixture.ts";
import type { TargetOptions } from "../target/options.ts";
import { type Answer, error, honest, json, judgeWith, optionsFor, standIn } from "./stand-in.fixture.ts";

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** What the run refuses to begin with. */
async function refusal(answers: Record<string, Answer>, changes: Partial<TargetOptions> = {}): Promise<ConformError> {
  server = await standIn(answers);
  const ended = judgeWith([], optionsFor(server.url, changes)).catch((thrown: unknown) => thrown);
  const thrown = await ended;
  expect(thrown).toBeInstanceOf(ConformError);
  return thrown as ConformError;
}

const page: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome</title>");
};

describe("before the first case", () => {
  it("names a dead address", async () => {
    const thrown = await judgeWith([], optionsFor("http://127.0.0.1:1")).catch((each: unknown) => each);
    expect(thrown).toMatchObject({
      exitCode: 2,
      facts: { what: "Nothing answers at this address.", where: "http://127.0.0.1:1" },
    });
    const odd = await judgeWith([], optionsFor("localhost:8080")).catch((each: unknown) => each);
    expect(odd).toMatchObject({ exitCode: 2, facts: { seen: "localhost:8080" } });
  });

  it("names a web page", async () => {
    const { facts, exitCode } = await refusal({ "GET /v1/models": page });
    expect(exitCode).toBe(2);
    expect(facts.what).toBe("The target answers with an HTML page.");
  });

  it("names what is JSON, and no such service", async () => {
    const { facts } = await refusal({ "GET /v1/models": json({ hello: "world" }) });
    expect(facts.what).toBe("What answers at this address does not look like the service.");
  });

  it("names a key that is not accepted, and never shows it", async () => {
    const { facts } = await refusal(honest(), { keys: ["svc_live_wrong"] });
    expect(facts).toMatchObject({ what: "The target does not accept the API key.", seen: "401 invalid_api_key" });
    expect(JSON.stringify(facts)).not.toContain("svc_live_wrong");
  });

  it("names a missing key", async () => {
    const { facts } = await refusal(honest(), { keys: [] });
    expect(facts.what).toBe("The target wants an API key, and none was given.");
  });

  it("names the brand that it sees", async () => {
    const { facts } = await refusal(honest("acme"));
    expect(facts).toMatchObject({ where: "--brand service", hint: "--brand acme" });
  });

  it("names controls that are none", async () => {
    server = await standIn(honest());
    const thrown = await judgeWith([], optionsFor(server.url, { control: { url: server.url } })).catch(
      (each: unknown) => each,
    );
    expect(thrown).toMatchObject({ facts: { what: "The control address does not speak test-controls/1." } });
  });

  it("names a selection of nothing before it sends anything", async () => {
    const thrown = await judgeWith([], optionsFor("http://127.0.0.1:1", { only: ["4.99"] })).catch(
      (each: unknown) => each,
    );
    expect(thrown).toMatchObject({ facts: { what: "No case is selected.", seen: "4.99" } });
  });

  it("takes a hiccup for one", async () => {
    let first = true;
    const answers = honest();
    const models = answers["GET /v1/models"] as Answer;
    server = await standIn({
      ...answers,
      "GET /v1/models": (...given) => {
        const answer = first ? error(503, "hiccup") : models;
        first = false;
        answer(...given);
      },
    });
    const report = await judgeWith([], optionsFor(server.url));
    expect(report.findings).toEqual([]);
  });
});
