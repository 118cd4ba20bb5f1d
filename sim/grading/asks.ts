/**
 * Chats of one client, told apart by their bodies: a body that comes again is the same question asked again. Each new question may be given one
 * lesson, and what the client does next is its grade.
 */
import { createHash } from "node:crypto";
import type { JobView, Network } from "../port.ts";
import type { Grade, Lesson } from "./grade.ts";

/** Lessons that a chat in one piece, or a stream, can be given, in the order in which they are given. */
const PLAIN = ["busy", "refused", "timeout", "lost"] as const satisfies readonly Lesson[];
const STREAMED = ["busy", "refused", "cut"] as const satisfies readonly Lesson[];
export const CHAT_LESSONS = ["busy", "refused", "timeout", "lost", "cut"] as const satisfies readonly Lesson[];
export type ChatLesson = (typeof CHAT_LESSONS)[number];

/** Milliseconds by which a timer may fire early. */
const EARLY = 30;

/** One question. */
export interface Ask {
  readonly lesson: ChatLesson | null;
  /** When the failure was told, or the answer lost; null while the client waits. Milliseconds. */
  failedAt: number | null;
  /** Whether the client has read a job, its list or its account since then. */
  looked: boolean;
  /** When the same was asked again: the first time, and whether the client had looked by then. */
  again: { readonly at: number; readonly looked: boolean } | null;
  /** Numbers of the jobs that were made for it. */
  readonly jobs: number[];
}

export interface Asks {
  /** A chat has come: the question that it asks, and whether it was asked before. */
  come(body: Uint8Array, streamed: boolean, now: number): { readonly ask: Ask; readonly first: boolean };
  /** The client has read a job, its list, or its account. */
  look(): void;
  /** Another request was answered with a 4xx; whether the same had been before. */
  refused(name: string): boolean;
  grades(client: string, network: Network, retryAfterMs: number): readonly Grade[];
}

/** The questions of one client. */
export function createAsks(): Asks {
  const asks = new Map<string, Ask>();
  const given = new Set<ChatLesson>();
  const refusals = new Set<string>();
  let stubborn: string | null = null;

  return {
    come(body, streamed, now) {
      const name = createHash("sha256").update(body).digest("hex");
      const known = asks.get(name);
      if (known !== undefined) {
        known.again ??= { at: now, looked: known.looked };
        return { ask: known, first: false };
      }
      const lesson = (streamed ? STREAMED : PLAIN).find((each) => !given.has(each)) ?? null;
      if (lesson !== null) given.add(lesson);
      const ask: Ask = { lesson, failedAt: null, looked: false, again: null, jobs: [] };
      asks.set(name, ask);
      return { ask, first: true };
    },
    look() {
      for (const ask of asks.values()) if (ask.failedAt !== null) ask.looked = true;
    },
    refused(name) {
      const before = refusals.has(name);
      refusals.add(name);
      if (before) stubborn ??= name;
      return before;
    },
    grades(client, network, retryAfterMs) {
      return CHAT_LESSONS.map((lesson): Grade => {
        const ask = [...asks.values()].find((each) => each.lesson === lesson);
        if (lesson === "refused" && stubborn !== null) {
          return { client, lesson, verdict: "bad", seen: `sent ${stubborn.split(" ", 2).join(" ")} again, unchanged` };
        }
        if (ask === undefined) {
          const form = lesson === "cut" ? "stream" : lesson === "busy" || lesson === "refused" ? "chat" : "plain chat";
          return { client, lesson, verdict: "not tried", seen: `needs one more ${form} of another text` };
        }
        return { client, lesson, ...gradeOf(ask, lesson, network, retryAfterMs) };
      });
    },
  };
}

/** What one question tells of its client. */
function gradeOf(
  ask: Ask,
  lesson: ChatLesson,
  network: Network,
  retryAfterMs: number,
): Pick<Grade, "verdict" | "seen"> {
  const { failedAt, again } = ask;
  if (failedAt === null) {
    return again === null
      ? { verdict: "not shown", seen: "the lesson is still going on" }
      : { verdict: "bad", seen: "asked again while the first job was in flight" };
  }
  const after = again === null ? null : again.at - failedAt;
  switch (lesson) {
    case "busy":
      if (after === null) return { verdict: "not shown", seen: "did not ask again" };
      return after >= retryAfterMs - EARLY
        ? { verdict: "good", seen: `asked again after ${seconds(after)}, told ${seconds(retryAfterMs)}` }
        : { verdict: "bad", seen: `asked again after ${seconds(after)}, told ${seconds(retryAfterMs)}` };
    case "refused":
      return again === null
        ? { verdict: "good", seen: "did not send the same again" }
        : { verdict: "bad", seen: `sent the same again after ${seconds(after ?? 0)}` };
    case "timeout":
      if (after === null) return { verdict: "not shown", seen: "did not ask again" };
      return after < 0
        ? { verdict: "bad", seen: "asked again while the first job was in flight" }
        : { verdict: "good", seen: `asked again after it was told; ${paid(ask, network)}` };
    case "lost":
    case "cut":
      if (again === null) return { verdict: "good", seen: `did not ask again; ${paid(ask, network)}` };
      return again.looked
        ? { verdict: "good", seen: `looked, then asked again; ${paid(ask, network)}` }
        : { verdict: "bad", seen: `asked again without a look; ${paid(ask, network)}` };
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** What the question has cost. */
function paid({ jobs }: Ask, network: Network): string {
  const views = jobs.flatMap((job): JobView[] => {
    const view = network.job(job);
    return view === undefined || view.charged === 0 ? [] : [view];
  });
  const units = views.reduce((sum, view) => sum + view.charged, 0);
  return views.length === 0
    ? "paid nothing"
    : `paid ${units} units for ${views.length} job${views.length > 1 ? "s" : ""}`;
}
