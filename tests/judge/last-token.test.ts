/** When the last token of a request was made, while the clock was moved by a minute at once: not before its answer could be looked at. */
import { expect, it } from "vitest";
import { defineCase } from "../../conformance/cases/case.ts";
import { chat, harvest } from "../../conformance/cases/sequences/chats.ts";
import { dispute } from "../../conformance/cases/sequences/disputes.ts";
import { sequenceCases } from "../../conformance/cases/sequences/everything.ts";
import { openPlay } from "../../conformance/cases/sequences/play.ts";
import { run } from "../../conformance/harness/run.ts";
import { DEFAULTS, PATIENCE } from "../../conformance/index.ts";
import { createFacadeDispatcher, createService } from "../../sim/facade/index.ts";
import { MANUAL_EPOCH_MS } from "../../sim/server/index.ts";

const BASE = "http://service.test";
const CONTROL = "http://control.test";

it("holds no dispute to be late that comes a minute after its request, and not after its last token", async () => {
  const service = createService({ seed: 1, epochMs: MANUAL_EPOCH_MS, deliver: () => ({ abort() {} }) });
  const heard: (string | null)[] = [];
  const soon = defineCase({
    id: "sequences/soon",
    title: "disputes around 60 s after requests that nobody waited for",
    requirements: sequenceCases[0]?.requirements ?? [],
    needs: ["credits"],
    async run(t) {
      for (const stream of [false, true]) {
        for (const span of [59_900, 60_100]) {
          const play = await openPlay(t, new Map());
          play.step += 1;
          const asked = { do: "chat", wallet: 0, model: 0, stream, worker: "normal", says: null, most: 16 } as const;
          await chat(play, { ...asked, stop: false, wait: false });
          await t.clock.advance(span);
          await harvest(play);
          await dispute(play, 0, "other", 0);
          heard.push(play.jobs[0]?.status ?? null);
        }
      }
    },
  });
  const report = await run(
    {
      ...DEFAULTS,
      baseUrl: BASE,
      keys: [],
      control: { url: CONTROL },
      receiver: false,
      patience: PATIENCE.none,
      only: [],
      dispatcher: createFacadeDispatcher({ facade: service.facade, base: BASE, control: CONTROL }),
    },
    {
      cases: [soon],
      command: "",
      runner: async (tests) => {
        for (const each of tests) await each.run();
      },
    },
  );
  expect(report.findings.map(({ requirement }) => requirement)).toEqual([]);
  // The service did hear them: the last token was made a little after the request.
  expect(heard).toEqual(["disputed", "disputed", "disputed", "disputed"]);
});
