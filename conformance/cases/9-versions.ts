/** Section 9: versions, of the paths and of the events. */
import { at, errorCode } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { told } from "./support/refusals.ts";
import { imaginedSights, tour } from "./support/tour.ts";

/** "The API version appears in the path prefix `/v1` of every endpoint": each is there, whatever it answers to things that do not exist. */
const endpoints = defineCase({
  id: "9/endpoints",
  title: "every endpoint stands under `/v1`",
  requirements: ["9/1"],
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    const nowhere = await t.api.raw({ method: "GET", path: "/v1/nowhere" });
    const missing = told(nowhere);
    // With no key at all an endpoint that is there asks for one; a path that is not there may say so first.
    for (const stop of tour) {
      const answer = await stop.send(t.as(null), imaginedSights(t));
      const there = answer.status === 401 || answer.status === 400 || told(answer) !== missing;
      t.check("9/1", there, {
        title: `${stop.name} is not there`,
        expected: "401 without a key",
        seen: told(answer),
      });
    }
    for (const path of ["/v1/models", "/v1/account", "/v1/jobs", "/v1/webhooks"]) {
      const answer = await t.api.raw({ method: "GET", path });
      t.check("9/1", answer.status === 200, { title: `GET ${path} is not there`, expected: "200", seen: told(answer) });
    }
    const chat = await t.api.say({ messages: undefined }, { cost: 0 });
    t.check("9/1", errorCode(chat) === "invalid_request", {
      title: "POST /v1/chat/completions is not there",
      expected: "400 invalid_request",
      seen: told(chat),
    });
  },
});

const VERSION = "2026-06-01";
const EVENTS = ["job.submitted", "job.processing", "job.completed", "job.failed", "credit.topup", "credit.low"];

/** "Event envelopes carry `api_version`, a date-form string (the value in use is 2026-06-01)." */
const events = defineCase({
  id: "9/events",
  title: "events of all kinds bear one `api_version`, 2026-06-01",
  requirements: ["9/2", "9/5"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const hook = await t.subscribe({ events: EVENTS });
    await t.complete();
    await t.complete({ stream: true });
    if (t.home.fresh) await t.home.topUp(100);
    if (t.has("behaviours")) {
      await t.behave(t.model(), "failing");
      await t.api.say();
      await t.behave(t.model(), "normal");
    }
    const enough = () => hook.endpoint.of("job.completed").length >= 2;
    await t.clock.advanceUntil(enough, { within: 60_000, step: 1_000 });
    const versions = new Set<unknown>();
    for (const delivery of hook.endpoint.deliveries) {
      const version = at(delivery.json, "api_version");
      versions.add(version);
      t.check("9/2", version === VERSION, {
        title: `\`api_version\` of ${delivery.event ?? "an event"} is another`,
        expected: VERSION,
        seen: version,
      });
    }
    if (versions.size === 0) t.giveUp("no event came");
    t.check("9/5", versions.size === 1, { expected: "one version", seen: [...versions] });
  },
});

export const section9Versions = [endpoints, events];
