import { describe, expect, it } from "vitest";
import type { Arrival } from "./exchange.ts";
import { readStream } from "./sse.ts";

const chunk = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });

/** One arrival for each text, a millisecond apart. */
const arriving = (...texts: (string | Uint8Array)[]): { readonly arrivals: readonly Arrival[] } => ({
  arrivals: texts.map((text, at) => ({ at, bytes: typeof text === "string" ? new TextEncoder().encode(text) : text })),
});

describe("a stream", () => {
  it("is read the same however its bytes are cut", () => {
    const whole = `data: ${chunk("é")}\r\n\r\ndata: ${chunk("b")}\r\n\r\ndata: [DONE]\r\n\r\n`;
    const bytes = new TextEncoder().encode(whole);
    const once = readStream(arriving(whole));
    expect(once).toMatchObject({ text: "éb", done: true, strange: [], comments: 0, unfinished: false, agreed: true });
    for (let at = 1; at < bytes.length; at++) {
      const cut = readStream(arriving(bytes.slice(0, at), bytes.slice(at)));
      expect(cut.lines.map(({ text, ending }) => [text, ending])).toEqual(
        once.lines.map(({ text, ending }) => [text, ending]),
      );
      expect(cut.events.map(({ data }) => data)).toEqual(once.events.map(({ data }) => data));
    }
  });

  it("knows when each event came", () => {
    const { events } = readStream(arriving(`data: ${chunk("a")}\n`, "\n", `data: ${chunk("b")}\n\n`));
    expect(events.map(({ at }) => at)).toEqual([1, 2]);
  });

  it("keeps what is strange, and counts comments", () => {
    const stream = readStream(arriving(": ping\n\nevent: x\nhello\ndata: not json\n\ndata: {}"));
    expect(stream.strange.map(({ text }) => text)).toEqual(["hello"]);
    expect(stream).toMatchObject({ comments: 1, unfinished: true, done: false });
    expect(stream.events).toMatchObject([{ data: "not json", json: undefined }]);
    expect(stream.chunks).toEqual([]);
  });
});
