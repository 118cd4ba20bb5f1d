import { describe, expect, it } from "vitest";
import { chat, hash, job, KEY, made, NOW } from "../checks/exchange.fixture.ts";
import { headerList } from "../exchange/headers.ts";
import { secrets } from "../exchange/redact.ts";
import { type Delivery, reply } from "../receiver/receiver.ts";
import { timelineOf } from "./timeline.ts";

const delivery = (number: number, at: number, event: string): Delivery => ({
  number,
  url: "https://receiver.test/a",
  method: "POST",
  headers: headerList([]),
  body: new Uint8Array(),
  text: "",
  json: undefined,
  event,
  eventId: null,
  jobId: null,
  signatureHeader: null,
  signature: null,
  earliest: at,
  at,
  reply: reply.status(500),
});

const before = chat();
const evidence = { ...made("GET /v1/jobs/job_1", { json: job(), at: NOW + 1_000 }), endedAt: NOW + 1_200.4 };
const elsewhere = { ...made("GET /v1/account", { at: NOW + 500 }), case: "other/case" };
const heard = [
  delivery(1, NOW - 1, "job.created"),
  delivery(2, NOW + 400, "job.completed"),
  delivery(3, NOW + 9_000, "x"),
];

describe("timelineOf", () => {
  it("tells the case's exchanges, each transaction at the first answer that names it, and the deliveries meanwhile", () => {
    const moments = timelineOf([evidence.number], [before, elsewhere, evidence], heard, secrets());
    expect(moments.map(({ lane, at, what, outcome, shown }) => [lane, at, what, outcome, shown])).toEqual([
      ["http", 0, "POST /v1/chat/completions", "200", false],
      ["chain", 0, "x-service-tx-hash", hash("1"), false],
      ["chain", 0, "x-service-settlement-tx", hash("2"), false],
      ["webhook", 400, "job.completed", "answered 500", false],
      ["http", 1_000, "GET /v1/jobs/job_1", "200", true],
    ]);
    expect(moments.at(-1)?.until).toBe(1_200);
  });

  it("is empty without evidence, hides secrets, and keeps evidence and end of a long story", () => {
    const hidden = secrets();
    hidden.add(KEY, "a key");
    expect(timelineOf([], [before], heard, hidden)).toEqual([]);
    const leaking = made(`GET /v1/jobs/${KEY}`);
    expect(timelineOf([leaking.number], [leaking], [], hidden)[0]?.what).not.toContain(KEY);
    const long = Array.from({ length: 90 }, () => made("GET /v1/account"));
    const ends = [long[0]?.number ?? 0, long[89]?.number ?? 0];
    const story = timelineOf(ends, long, [], hidden);
    expect(story.length).toBeLessThanOrEqual(40);
    expect(story.filter((each) => each.shown).map((each) => each.number)).toEqual(ends);
  });
});
