/**
 * Cases that go on beside each other in one given wallet must not mind what the others do there. Who looks at the wallet's balance or its list of jobs would:
 * so each of those says that it goes on alone, or is named here as one that looks, and does not mind what it sees.
 */
import { expect, it } from "vitest";
import { goesBeside } from "../../conformance/harness/plan.ts";
import { run } from "../../conformance/harness/run.ts";
import { cases, DEFAULTS, PATIENCE } from "../../conformance/index.ts";
import { createFacadeDispatcher, createService } from "../../sim/facade/index.ts";
import { MANUAL_EPOCH_MS } from "../../sim/server/index.ts";

/** They ask every endpoint in turn for the form of its answer, or look for their own jobs alone. */
const UNMOVED = [
  ...["1/credits", "2.3/stays", "2.3/unique", "4.6/unknown-values", "4.7/equal", "4.11/without-job"],
  ...["5/learns-nothing", "5/missing", "7/object"],
];

const BASE = "http://service.test";
const CONTROL = "http://control.test";

it("looks at a shared wallet only where other cases' jobs do not matter", async () => {
  const service = createService({
    seed: 1,
    epochMs: MANUAL_EPOCH_MS,
    deliver: () => ({ abort() {} }),
    controls: { capabilities: ["clock"] },
  });
  const { key } = service.facade.openWallet(10_000);
  const dispatcher = createFacadeDispatcher({ facade: service.facade, base: BASE, control: CONTROL });
  let current = "";
  const looks: string[] = [];
  const dispatch = dispatcher.dispatch.bind(dispatcher);
  dispatcher.dispatch = (options, handler) => {
    const asked = `${options.method} ${String(options.path).split("?", 1)[0]}`;
    if (current !== "" && options.origin === BASE && /^GET \/v1\/(account|jobs)$/.test(asked))
      looks.push(`${current} ${asked}`);
    return dispatch(options, handler);
  };

  const together = cases.filter((each) => goesBeside(each) && each.cost !== undefined);
  expect(together.length).toBeGreaterThan(40);
  const report = await run(
    {
      ...DEFAULTS,
      baseUrl: BASE,
      keys: [key],
      control: { url: CONTROL },
      receiver: false,
      maxCredits: 2_000,
      patience: PATIENCE.none,
      only: [],
      dispatcher,
    },
    {
      cases: together,
      command: "",
      events: {
        started: ({ id }) => {
          current = id;
        },
      },
      runner: async (tests) => {
        for (const each of tests) await each.run();
      },
    },
  );
  expect(report.findings).toEqual([]);
  // The run itself reads the balance once after each case that was paid for.
  const own = new Set(together.map(({ id }) => `${id} GET /v1/account`));
  const looked = new Set(looks.filter((look) => !own.delete(look)).map((look) => look.split(" ", 1)[0]));
  expect([...looked].filter((id) => !UNMOVED.includes(id ?? ""))).toEqual([]);
  expect(UNMOVED.filter((id) => !looked.has(id))).toEqual([]);
}, 60_000);
