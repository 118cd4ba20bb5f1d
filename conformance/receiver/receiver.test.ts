import { request } from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import { signatureParts } from "./delivery.ts";
import { makeEndpoints } from "./endpoints.ts";
import { type HttpsReceiver, openHttpsReceiver } from "./https.ts";
import { inProcessReceiver } from "./in-process.ts";
import { reply } from "./receiver.ts";

let receiver: HttpsReceiver | undefined;
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

const bodyOf = (job: number): string => `{"id":"evt_${job}","event":"job.completed","data":{"job_id":"job_${job}"}}`;
const body = bodyOf(1);
const signature = `t=1780272000,v1=${"ab".repeat(32)}`;

/** Posts a job's event to the receiver as a service would: the status, or the error's code. */
function post(url: string, job = 1): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { "Content-Type": "application/json", "Service-Signature": signature };
    const sent = request(url, { method: "POST", rejectUnauthorized: false, headers, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", () => resolve("cut"));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    sent.end(bodyOf(job));
  });
}

describe("the receiver over HTTPS", () => {
  it("records a delivery whole, and answers by the script, one reply after the other", async () => {
    receiver = await openHttpsReceiver({ brand: "service" });
    const endpoint = receiver.open("6.4/retries", [
      reply.status(500),
      reply.redirect("https://elsewhere.test"),
      reply.ok(),
    ]);
    expect(endpoint.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/1-6\.4-retries$/);
    expect([
      await post(endpoint.url, 1),
      await post(endpoint.url, 2),
      await post(endpoint.url, 3),
      await post(endpoint.url, 4),
    ]).toEqual([500, 302, 200, 200]);
    const [first] = endpoint.of("job.completed");
    expect(first).toMatchObject({
      number: 1,
      method: "POST",
      text: body,
      eventId: "evt_1",
      jobId: "job_1",
      signatureHeader: signature,
      signature: { t: 1780272000, v1: "ab".repeat(32) },
      reply: { kind: "answer", status: 500 },
    });
    expect(first?.headers.entries).toContainEqual(["Service-Signature", signature]);
    expect(endpoint.deliveries).toHaveLength(4);
  });

  it("drops, hangs and talks nonsense when told to", async () => {
    receiver = await openHttpsReceiver({ brand: "service" });
    const endpoint = receiver.open("odd", [reply.drop(), reply.garbage(), reply.hang()]);
    expect(await post(endpoint.url)).toBe("ECONNRESET");
    expect(await post(endpoint.url, 2)).toMatch(/^HPE_/);
    const hanging = post(endpoint.url, 3);
    while (endpoint.deliveries.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await receiver.close();
    receiver = undefined;
    expect(await hanging).toBe("ECONNRESET");
  });

  it("answers late on the service's clock, when the clock has come there", async () => {
    receiver = await openHttpsReceiver({ brand: "service" });
    receiver.setClock({ manual: true, window: () => ({ earliest: 90, at: 100 }) });
    const endpoint = receiver.open("late", reply.late(9_900));
    let answered: number | string | null = null;
    const waiting = post(endpoint.url).then((status) => {
      answered = status;
    });
    while (endpoint.deliveries.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(endpoint.deliveries[0]).toMatchObject({ earliest: 90, at: 100 });
    expect(receiver.nextDue()).toBe(10_000);
    receiver.onTime(9_999);
    expect(answered).toBeNull();
    receiver.onTime(10_000);
    await waiting;
    expect(answered).toBe(200);
    expect(receiver.nextDue()).toBeNull();
  });

  it("notices who does not trust its certificate, and knows nobody at other paths", async () => {
    receiver = await openHttpsReceiver({ brand: "service" });
    expect(await post(`${receiver.url}/nobody`)).toBe(404);
    const code = await new Promise((resolve) => {
      request(receiver?.url ?? "", { method: "POST", agent: false })
        .on("error", (error: NodeJS.ErrnoException) => resolve(error.code))
        .end();
    });
    expect(code).toMatch(/SELF_SIGNED|UNABLE_TO/);
    while (receiver.refusedHandshakes === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("is at fault itself when it cannot listen", async () => {
    receiver = await openHttpsReceiver({ brand: "service" });
    const port = Number(new URL(receiver.url).port);
    await expect(openHttpsReceiver({ brand: "service", port })).rejects.toMatchObject({
      exitCode: 3,
      facts: { what: "The webhook receiver cannot listen." },
    });
  });
});

describe("the receiver in process", () => {
  it("tells at once what it will answer, and keeps the time that it is told", () => {
    const here = inProcessReceiver({ brand: "acme", now: () => 5 });
    const endpoint = here.open("x", (delivery, index) =>
      index === 0 ? reply.late(20) : reply.status(delivery.eventId === null ? 400 : 204),
    );
    const told: unknown[] = [];
    here.listen((delivery) => told.push(delivery.number));
    const raw = {
      url: endpoint.url,
      method: "POST",
      headers: [["acme-signature", signature]] as const,
      body: new TextEncoder().encode(body),
    };
    expect(here.deliver({ ...raw, at: 7 })).toMatchObject({ status: 200, afterMs: 20 });
    expect(here.deliver({ ...raw, body: new TextEncoder().encode(bodyOf(2)) })).toMatchObject({ status: 204 });
    expect(here.deliver({ ...raw, url: "https://elsewhere.test/" })).toEqual({ kind: "drop" });
    expect(endpoint.deliveries.map(({ at, signature: parts }) => [at, parts?.t])).toEqual([
      [7, 1780272000],
      [5, 1780272000],
    ]);
    expect(told).toEqual([1, 2]);
  });
});

describe("an event that comes again", () => {
  const posted = (url: string, at: number, t: number) => ({
    url,
    method: "POST",
    headers: [["service-signature", `t=${t},v1=${"ab".repeat(32)}`]] as const,
    body: new TextEncoder().encode(body),
    at,
  });

  it("is a repeat at once, answered as the first and not listed, and an attempt later", () => {
    const here = inProcessReceiver({ brand: "service", now: () => 0 });
    const endpoint = here.open("x", [reply.status(500), reply.status(503), reply.ok()]);
    const told: number[] = [];
    here.listen((delivery) => told.push(delivery.at));
    const statuses = [0, 500, 30_000, 30_500, 330_000].map((at) =>
      here.deliver(posted(endpoint.url, at, Math.floor(at / 1_000))),
    );
    expect(statuses).toMatchObject([500, 500, 503, 503, 200].map((status) => ({ status })));
    expect(endpoint.deliveries.map(({ at }) => at)).toEqual([0, 30_000, 330_000]);
    expect(told).toEqual([0, 500, 30_000, 30_500, 330_000]);
  });

  it("is told from an attempt in the same step of a clock by the time of its signature", () => {
    const endpoints = makeEndpoints("https://hooks.test", "service");
    const endpoint = endpoints.open("x");
    for (const t of [100, 101, 130, 131]) endpoints.take(posted(endpoint.url, 0, t), { earliest: 0, at: 600_000 });
    expect(endpoint.deliveries.map(({ signature }) => signature?.t)).toEqual([100, 130]);
  });
});

describe("signatureParts", () => {
  it("takes the form of the contract and no other", () => {
    const hex = "0".repeat(64);
    expect(signatureParts(`t=1,v1=${hex}`)).toEqual({ t: 1, v1: hex });
    for (const odd of [`v1=${hex},t=1`, `t=1,v1=${hex}0`, `t=1.5,v1=${hex}`, `t=1;v1=${hex}`, hex, ""]) {
      expect(signatureParts(odd)).toBeNull();
    }
  });
});
