/** The example server of docs/test-controls.md, held to the contract of the controls: each row of the table, good and bad, against its schema. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schemaId, schemas } from "../../fixtures/protocol/index.ts";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
for (const schema of schemas()) ajv.addSchema(schema);

let child: ChildProcess;
const address: Record<string, string> = {};
beforeAll(async () => {
  child = spawn(process.execPath, [`${docs}/examples/test-controls-server.mjs`, "0", "0", "open-sesame"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  while (!told.includes("ready")) told += String(((await once(child.stdout!, "data")) as [Buffer])[0]);
  for (const [, name, url] of told.matchAll(/^(\w+) (http\S+)$/gm)) address[name!] = url!;
});
afterAll(async () => {
  child.kill();
  await once(child, "exit");
});

async function ask(path: string, body?: unknown, token = "open-sesame") {
  const answer = await fetch(`${address.control}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the schemas say what it is
  const answered = (await answer.json()) as any;
  return { status: answer.status, type: answer.headers.get("content-type"), body: answered };
}

const fits = (schema: string, value: unknown): void => {
  const validate = ajv.getSchema(schemaId(schema))!;
  expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
};

const account = async (key: string) => {
  const answer = await fetch(`${address.service}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

describe("the example of test controls", () => {
  it("says what it offers, and only to whoever has the token", async () => {
    const { status, body } = await ask("/v1/capabilities");
    expect(status).toBe(200);
    fits("control.capabilities", body);
    const refused = await ask("/v1/capabilities", undefined, "sesame");
    expect(refused.status).toBe(401);
    fits("control.error", refused.body);
  });

  it("tells the time and jumps ahead", async () => {
    const before = await ask("/v1/clock");
    fits("control.clock", before.body);
    const after = await ask("/v1/clock/advance", { milliseconds: 3_600_000 });
    fits("control.clock", after.body);
    expect(Date.parse(after.body.now) - Date.parse(before.body.now)).toBeGreaterThanOrEqual(3_600_000);
  });

  it("makes wallets that the service knows, fills them, and changes their keys", async () => {
    const made = await ask("/v1/wallets", { credits: 7 });
    expect(made.status).toBe(201);
    fits("control.wallet", made.body);
    const { wallet, api_key: key } = made.body;
    expect(await account(key)).toMatchObject({ status: 200, body: { wallet, credits_remaining: 7 } });
    fits("account", (await account(key)).body);
    const filled = await ask(`/v1/wallets/${wallet}/topups`, { credits: 100 });
    expect(filled).toMatchObject({ status: 201, body: { credits_remaining: 107 } });
    fits("control.topup", filled.body);
    for (const [state, status] of Object.entries({ suspended: 403, revoked: 401, active: 200 })) {
      const set = await ask("/v1/keys/state", { api_key: key, state });
      expect(set).toMatchObject({ status: 200, body: { state } });
      fits("control.key-state", set.body);
      expect((await account(key)).status).toBe(status);
    }
  });

  it.each([
    ["/v1/clock/advance", { milliseconds: 0 }, 400],
    ["/v1/wallets", { credits: -1 }, 400],
    ["/v1/wallets", "no JSON", 400],
    ["/v1/wallets/0xnobody/topups", { credits: 100 }, 404],
    ["/v1/keys/state", { api_key: "svc_live_nobody", state: "active" }, 404],
    ["/v1/keys/state", { api_key: "svc_live_nobody", state: "sleeping" }, 400],
    ["/v1/models/small-1b/behaviour", { behaviour: "silent" }, 501],
    ["/v1/workers", { kind: "native", models: [] }, 501],
    ["/v1/disputes/job_1/verdict", { verdict: "honest" }, 501],
    ["/v1/webhooks/wh_1/deliveries", undefined, 501],
    ["/v1/webhooks/wh_1/deliveries/1/replay", {}, 501],
    ["/v1/elsewhere", undefined, 404],
  ])("answers %s with %j by %i and an error object", async (path, body, status) => {
    const answer = await ask(path, body);
    expect(answer.status).toBe(status);
    expect(answer.type).toBe("application/json");
    fits("control.error", answer.body);
  });

  it("is told by the page with every control of the contract", () => {
    const page = readFileSync(`${docs}/test-controls.md`, "utf8");
    const example = readFileSync(`${docs}/examples/test-controls-server.mjs`, "utf8");
    const rows = [...page.matchAll(/^\| `(GET|POST) (\/v1\/[^`]*)`/gm)].map(([, method, path]) => `${method} ${path}`);
    expect(rows).toHaveLength(11);
    const offered = [...example.matchAll(/"(GET|POST)",\s*\/\^(\S+)\$\//g)];
    expect(offered).toHaveLength(11);
  });
});
