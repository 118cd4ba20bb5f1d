/** Section 7: the error object, whatever the error. */
import { errorEntry } from "../../../fixtures/protocol/errors.ts";
import { statusIsOpen } from "../../checks/monitors/errors.ts";
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { errorsAtHand } from "../support/errors.ts";
import { isErrorObject, told } from "../support/refusals.ts";
import { imaginedSights, tour } from "../support/tour.ts";
import { webhookSecret } from "../support/webhooks.ts";

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** "Every failed request returns an HTTP status and this JSON body." */
const form = defineCase({
  id: "7/object",
  title: "every kind of error is an error object with all its fields, each of its type",
  requirements: ["7/1", "7/2", "7/3", "7/4", "7/5", "7/9", "7.2/15"],
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    for (const { what, send } of errorsAtHand(t)) {
      const answer = await send(t);
      if (answer.ending === "answered" && answer.status >= 400 && answer.status !== 429) judge(t, what, answer);
    }
  },
});

function judge(t: CaseContext, what: string, answer: Exchange): void {
  const error = at(answer.json, "error");
  const field = (name: string): unknown => at(error, name);
  const seen = `${answer.status} ${answer.text}`;
  const object = t.check("7/1", isErrorObject(answer), {
    title: `${what}: the answer is no error object`,
    expected: "an object `error`",
    seen,
  });
  if (!object) return;
  t.check("7/2", isText(field("code")) && isText(field("message")), {
    title: `${what}: \`code\` or \`message\` is no string`,
    expected: "two strings",
    seen,
  });
  t.check("7/3", isText(field("type")) && isText(field("docs")), {
    title: `${what}: \`type\` or \`docs\` is no string`,
    expected: "two strings",
    seen,
  });
  t.check("7/4", field("param") === null || typeof field("param") === "string", {
    title: `${what}: \`param\` is neither a string nor null`,
    expected: "a string or null",
    seen,
  });
  const details = field("details");
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  t.check("7/5", details === undefined || details === null || isObject, {
    title: `${what}: \`details\` is there and no object`,
    expected: "an object, or nothing",
    seen,
  });
  const code = errorCode(answer) ?? "";
  const entry = errorEntry(code);
  if (entry === undefined) {
    t.observe("7/9", "other");
    return;
  }
  if (statusIsOpen(answer, code)) return;
  t.check("7.2/15", entry.status === answer.status, {
    title: `\`${code}\` comes with another status than its own`,
    expected: String(entry.status),
    seen,
  });
  if (entry.type === undefined) t.observe("7/9", isText(field("type")) ? "by-status" : "other");
}

/** "Stable machine-readable identifier; clients branch on it": the same fault is called the same everywhere. */
const everywhere = defineCase({
  id: "7/everywhere",
  title: "a missing and an unknown key have one status and one code each, on every endpoint",
  requirements: ["7/10"],
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    const sights = imaginedSights(t);
    for (const key of [null, `svc_live_${t.random.text(32)}`]) {
      const said = new Map<string, Exchange>();
      for (const stop of tour) {
        const answer = await stop.send(t.as(key), sights);
        if (answer.ending === "answered" && !said.has(told(answer))) said.set(told(answer), answer);
      }
      t.check("7/10", said.size === 1 && [...said.keys()][0]?.startsWith("401 ") === true, {
        title: `${key === null ? "a missing" : "an unknown"} key is refused in several ways`,
        expected: "401 with one code everywhere",
        seen: [...said.keys()],
        exchanges: [...said.values()],
      });
    }
  },
});

/** A refusal does not repeat what must not be seen. */
const secrets = defineCase({
  id: "7/secrets",
  title: "no error repeats the API key or the webhook's secret that came with its request",
  requirements: ["7/11"],
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    const unknown = `svc_live_${t.random.text(32)}`;
    const secret = webhookSecret(t);
    const webhook = { url: "https://hooks.assay.example/x", events: ["job.completed"], secret };
    const tries: readonly (readonly [hidden: string, answer: Exchange])[] = [
      [unknown, await t.as(unknown).account()],
      [unknown, await t.as(unknown).say({}, { cost: 0 })],
      [unknown, await t.as(null).raw({ method: "GET", path: "/v1/account", headers: { authorization: unknown } })],
      [t.home.key, await t.api.say({ messages: undefined }, { cost: 0 })],
      [t.home.key, await t.api.job("job_unknown")],
      [t.home.key, await t.api.raw({ method: "GET", path: "/v1/nowhere" })],
      [secret, await t.api.createWebhook({ ...webhook, url: "no address" })],
      [secret, await t.api.createWebhook({ ...webhook, events: "job.completed" })],
      [secret, await t.api.createWebhook({ ...webhook, events: undefined })],
      [secret, await t.api.createWebhook({ ...webhook, url: 7 })],
      [secret, await t.api.createWebhook({ ...webhook, secret: [secret] })],
      [secret, await t.api.raw({ method: "POST", path: "/v1/webhooks", body: `{"secret": "${secret}", ` })],
    ];
    for (const [hidden, answer] of tries) {
      if (answer.status < 400) continue;
      const shown = answer.text.includes(hidden) || answer.headers.entries.some(([, value]) => value.includes(hidden));
      t.check("7/11", !shown, {
        title: `an error repeats ${hidden === secret ? "a webhook's secret" : "an API key"}`,
        expected: "an answer without it",
        seen: answer.text,
        exchanges: answer,
      });
    }
  },
});

export const objectCases = [form, everywhere, secrets];
