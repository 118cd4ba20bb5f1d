/** How fast a service is: needed wherever a time is judged that also depends on the speed of workers or of the chain. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import type { Api } from "../api.ts";
import type { CaseContext } from "../case.ts";
import { ENDED, SETTLES_WITHIN, statusOf } from "./jobs.ts";
import { follow } from "./live-stream.ts";

/** What one stream showed of its times. Milliseconds since 1970 on the service's clock. */
export interface StreamTimes {
  readonly sentAt: number;
  /** When the first and the last content came. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** When the chunk with the `finish_reason` came. */
  readonly finishedAt: number;
  /** Chunks with content. */
  readonly chunks: number;
}

/** The times of a whole stream; null where it has no content or no end. */
export function streamTimes(exchange: Exchange): StreamTimes | null {
  const { chunks } = readStream(exchange);
  const contents = chunks.filter((chunk) => at(chunk.json, "choices", 0, "delta", "content"));
  const finish = chunks.find((chunk) => typeof at(chunk.json, "choices", 0, "finish_reason") === "string");
  const [first, last] = [contents[0], contents.at(-1)];
  if (first === undefined || last === undefined || finish === undefined) return null;
  const { sentAt } = exchange;
  return { sentAt, firstAt: first.at, lastAt: last.at, finishedAt: finish.at, chunks: contents.length };
}

/**
 * How long the chain takes to confirm what happened, at most: from the last text of a stream to the settlement of its job. An answer that waits for
 * the chain may be as much later than what it tells of. Blocks come when they come: where it costs no real time, several are waited for.
 */
export async function settlementTime(t: CaseContext, api: Api = t.api): Promise<number> {
  let most = 0;
  for (let tries = t.clock.movable ? 3 : 1; tries > 0; tries--) most = Math.max(most, await oneSettlement(t, api));
  return most;
}

async function oneSettlement(t: CaseContext, api: Api): Promise<number> {
  const pending = api.say({ stream: true, max_tokens: 4 }).start();
  const stream = follow(pending);
  let finishedAt: number | null = null;
  let settledAt: number | null = null;
  await t.clock.advanceUntil(
    async () => {
      const { finished, jobId } = stream.look();
      if (!finished && !pending.settled) return false;
      finishedAt ??= t.clock.now();
      if (jobId === null) return true;
      if (!ENDED.includes(statusOf(await api.job(jobId)) ?? "")) return false;
      settledAt = t.clock.now();
      return true;
    },
    { within: SETTLES_WITHIN, step: 100 },
  );
  const exchange = await pending.finish();
  if (finishedAt === null || settledAt === null) return t.giveUp("a stream did not settle");
  // Its end, too, may wait for the settlement.
  return settledAt - Math.min(finishedAt, streamTimes(exchange)?.lastAt ?? finishedAt);
}

/** Times read off a real clock are no more exact than this. */
export function slack(t: CaseContext): number {
  return t.clock.kind === "manual" ? 0 : Math.max(1_500, 250 * t.clock.rate);
}
