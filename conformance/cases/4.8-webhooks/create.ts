/** Sections 4.8 and 2.6: `POST /v1/webhooks`, and the webhook that it answers with. */
import { EVENTS } from "../../../fixtures/protocol/index.ts";
import { at, errorCode, succeeded } from "../../exchange/exchange.ts";
import { defineCase } from "../case.ts";
import { choiceOf, isErrorObject, refusedAsInvalid, told } from "../support/refusals.ts";
import { createdWebhook, listedWebhooks, sameNames, webhookRequest, webhooksIn } from "../support/webhooks.ts";

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:?00)$/;

/** Milliseconds by which two clocks may differ, and a time be late. */
const CLOCKS_APART = 120_000;

/** `url`, `events` and `secret` make a webhook object with status `active`; the secret is supplied and not returned. */
const create = defineCase({
  id: "4.8/create",
  title: "a webhook is created active, with its address and events, and without its secret",
  requirements: ["4.8/1", "4.8/9", "2.6/1", "2.6/2", "2.6/3", "2.6/4", "2.6/6"],
  async run(t) {
    const ids = new Set<string>();
    // So that a time of the service's beginning is not that of the creation.
    if (t.clock.movable) await t.clock.advance(600_000);
    if (t.has("second-wallet")) {
      // Of another wallet, so that ids numbered anew for each wallet show.
      const theirs = await t.otherWallet();
      const { id } = await createdWebhook(t, webhookRequest(t), theirs.api);
      ids.add(id);
    }
    const path = `Path/${t.random.text(8)}/To-Hook_1`;
    const addresses = [
      {},
      { url: `https://hooks.assay.example/${path}` },
      { url: `https://hooks.assay.example:8443/${path}?Token=AbC%2Fd&e=F` },
    ];
    for (const [index, events] of [
      ["job.completed"],
      ["credit.low", "job.timeout"],
      ["worker.slashed", "job.failed", "job.submitted"],
    ].entries()) {
      const request = webhookRequest(t, { events, ...addresses[index] });
      const answer = await t.api.createWebhook(request);
      const made = t.check("4.8/1", succeeded(answer) && at(answer.json, "status") === "active", {
        expected: "2xx with a webhook whose `status` is `active`",
        seen: told(answer),
      });
      if (!made) return;
      t.observe("4.8/9", String(answer.status), { consistent: true });
      const { id, url, events: told_, created_at, status } = answer.json as Record<string, unknown>;
      t.check("2.6/1", typeof id === "string" && id.startsWith("wh_") && ISO_UTC.test(String(created_at)), {
        expected: "an `id` with the prefix `wh_` and `created_at` in ISO 8601 UTC",
        seen: { id, created_at },
      });
      const age = t.clock.now() - Date.parse(String(created_at));
      t.check("2.6/1", t.clock.kind === "none" || Math.abs(age) < CLOCKS_APART, {
        title: "a webhook's `created_at` is not the time of its creation",
        expected: new Date(t.clock.now()).toISOString(),
        seen: created_at,
      });
      t.check("2.6/2", url === request.url && sameNames(told_, events), {
        expected: `url ${request.url} and events ${events.join(", ")}`,
        seen: { url, events: told_ },
      });
      t.check("2.6/3", status === "active", { expected: "active", seen: status });
      t.check("2.6/4", !answer.text.includes(String(request.secret)), {
        title: "the secret is returned by the request that creates the webhook",
        expected: "no secret in the answer",
        seen: "the secret that was given",
      });
      t.check("2.6/6", !ids.has(String(id)), { expected: "another id for each webhook", seen: id });
      ids.add(String(id));
      await t.api.deleteWebhook(String(id));
    }
  },
});

/** A body without one of the required fields is refused with 400 `invalid_request`. */
const required = defineCase({
  id: "4.8/required",
  title: "a webhook without url, events or secret is refused",
  requirements: ["4.8/2", "4.8/10"],
  async run(t) {
    await createdWebhook(t, webhookRequest(t));
    const before = webhooksIn((await listedWebhooks(t)).json).length;
    for (const field of ["url", "events", "secret"]) {
      const answer = await t.api.createWebhook(webhookRequest(t, { [field]: undefined }));
      t.check("4.8/2", answer.status === 400 && errorCode(answer) === "invalid_request", {
        title: `a webhook without \`${field}\` is not refused with 400 invalid_request`,
        expected: "400 invalid_request",
        seen: told(answer),
      });
    }
    const after = webhooksIn((await listedWebhooks(t)).json).length;
    t.check("4.8/10", after <= before, { expected: `${before} webhooks, as before`, seen: after });
  },
});

/** `url` is an HTTPS endpoint. */
const address = defineCase({
  id: "4.8/address",
  title: "an address that is no https: URL is refused",
  requirements: ["4.8/3", "4.8/7", "4.8/10"],
  async run(t) {
    const { id } = await createdWebhook(t, webhookRequest(t));
    const urls = [
      "http://hooks.assay.example/plain",
      "http://localhost:8080/hook",
      "http://127.0.0.1/hook",
      "HTTP://hooks.assay.example/capitals",
      "ftp://hooks.assay.example/file",
      "wss://hooks.assay.example/",
      "hooks",
      "",
    ];
    for (const url of urls) {
      const answer = await t.api.createWebhook(webhookRequest(t, { url }));
      const kind = url.includes(":") ? `the scheme ${url.split(":")[0]}:` : url === "" ? "an empty address" : "no URL";
      t.check("4.8/3", refusedAsInvalid(answer) && isErrorObject(answer), {
        title: `a webhook with ${kind} is not refused`,
        expected: "400 or 422 with an error object",
        seen: told(answer),
      });
      if (url.startsWith("http:")) t.observe("4.8/7", `http: ${choiceOf(answer)}`);
    }
    const list = await listedWebhooks(t);
    const strangers = webhooksIn(list.json).filter(
      (webhook) => urls.includes(String(webhook.url)) && webhook.id !== id,
    );
    t.check("4.8/10", strangers.length === 0, {
      expected: "none of the refused webhooks",
      seen: strangers.map((each) => each.url),
    });
  },
});

/** `url` and `secret` are strings, `events` an array of strings. */
const types = defineCase({
  id: "4.8/types",
  title: "a field of another type, or null, is refused",
  requirements: ["4.8/2", "4.8/4"],
  async run(t) {
    await createdWebhook(t, webhookRequest(t));
    const faults: Readonly<Record<string, readonly unknown[]>> = {
      url: [null, 7, true, ["https://hooks.assay.example/"], { href: "https://hooks.assay.example/" }],
      events: [
        null,
        "job.completed",
        7,
        true,
        { event: "job.completed" },
        [7],
        [["job.completed"]],
        ["job.completed", null],
      ],
      secret: [null, 7, true, ["whsec_in_a_list"], { value: "whsec_in_an_object" }],
    };
    for (const [field, values] of Object.entries(faults)) {
      for (const value of values) {
        const answer = await t.api.createWebhook(webhookRequest(t, { [field]: value }));
        // A required field that is null is missing.
        const row = value === null ? "4.8/2" : "4.8/4";
        t.check(row, refusedAsInvalid(answer) && isErrorObject(answer), {
          title: `a webhook whose \`${field}\` has another type is not refused`,
          expected: "400 or 422 with an error object",
          seen: `${field}: ${JSON.stringify(value)} answered ${told(answer)}`,
        });
      }
    }
  },
});

/** Any mix of the ten names: each alone, all of them, and draws between. */
const mixes = defineCase({
  id: "4.8/mixes",
  title: "any mix of event names is accepted and kept",
  requirements: ["4.8/5", "2.6/2"],
  async run(t) {
    const drawn = Array.from({ length: 4 }, () => EVENTS.filter(() => t.random.integer(2) === 1));
    const mixes = [...EVENTS.map((name) => [name]), [...EVENTS], ...drawn.filter((mix) => mix.length > 1)];
    for (const events of mixes) {
      const answer = await t.api.createWebhook(webhookRequest(t, { events }));
      const fault = events.length === 1 ? `\`${events[0]}\` alone` : `a mix of ${events.length} event names`;
      if (!t.check("4.8/5", succeeded(answer), { title: `${fault} is refused`, expected: "2xx", seen: told(answer) }))
        continue;
      t.check("2.6/2", sameNames(at(answer.json, "events"), events), {
        expected: events.join(", "),
        seen: at(answer.json, "events"),
      });
      await t.api.deleteWebhook(String(at(answer.json, "id")));
    }
  },
});

/** Names that section 6.1 does not have. */
const unknownEvents = defineCase({
  id: "4.8/unknown-events",
  title: "an unknown event name is refused, alone or among known ones",
  requirements: ["4.8/6", "4.8/7", "4.8/8"],
  async run(t) {
    await createdWebhook(t, webhookRequest(t));
    for (const events of [
      ["job.finished"],
      ["job.completed", "job.finished"],
      ["job.finished", "job.completed"],
      ["job"],
    ]) {
      const answer = await t.api.createWebhook(webhookRequest(t, { events }));
      t.check("4.8/6", refusedAsInvalid(answer) && isErrorObject(answer), {
        title:
          events.length === 1
            ? "an unknown event name is not refused"
            : "an unknown event name among known ones is not refused",
        expected: "400 or 422 with an error object",
        seen: `${events.join(", ")} answered ${told(answer)}`,
      });
      t.observe("4.8/7", `unknown event ${choiceOf(answer)}`);
    }
    const oddities = {
      "empty events": { events: [] },
      "a name twice": { events: ["job.completed", "job.completed"] },
      "empty secret": { secret: "" },
    };
    for (const [name, changes] of Object.entries(oddities)) {
      const answer = await t.api.createWebhook(webhookRequest(t, changes));
      if (answer.status >= 500)
        t.fail("4.8/8", { title: `${name} is answered with a 5xx`, expected: "2xx, 400 or 422", seen: told(answer) });
      else t.observe("4.8/8", `${name} ${choiceOf(answer)}`);
    }
  },
});

/** One address twice: open, but two webhooks are two. */
const sameAddress = defineCase({
  id: "4.8/same-address",
  title: "one address registered twice makes two webhooks, or a conflict",
  requirements: ["2.6/7", "4.9/1"],
  async run(t) {
    const request = webhookRequest(t);
    const first = await createdWebhook(t, request);
    const second = await t.api.createWebhook(request);
    if (second.status >= 500) t.fail("2.6/7", { expected: "2xx or 409", seen: told(second) });
    else if (!succeeded(second)) t.observe("2.6/7", `refused with ${second.status}`);
    else if (at(second.json, "id") === first.id) t.observe("2.6/7", "the same webhook again");
    else {
      t.observe("2.6/7", "two webhooks");
      const listed = await listedWebhooks(t);
      const ids = webhooksIn(listed.json).map((webhook) => webhook.id);
      t.check("4.9/1", ids.includes(first.id) && ids.includes(at(second.json, "id")), {
        title: "of two webhooks with one address only one is in the list",
        expected: `${first.id} and ${String(at(second.json, "id"))}`,
        seen: listed.text,
        exchanges: [second, listed],
      });
    }
  },
});

export const createCases = [create, required, address, types, mixes, unknownEvents, sameAddress];
