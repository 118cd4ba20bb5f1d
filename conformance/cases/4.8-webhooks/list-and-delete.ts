/** Sections 4.9 and 4.10: `GET /v1/webhooks` and `DELETE /v1/webhooks/{webhook_id}`. */
import { at, refused, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { isErrorObject, told } from "../support/refusals.ts";
import {
  createdWebhook,
  listedWebhooks,
  mayHaveMore,
  sameNames,
  webhookIn,
  webhookRequest,
  webhooksIn,
} from "../support/webhooks.ts";

/** Lists the caller's webhooks, in a shape that is not shown. */
const list = defineCase({
  id: "4.9/list",
  title: "every webhook is in the list, as it was created and without its secret",
  requirements: ["4.9/1", "4.9/3", "4.9/4", "4.9/5"],
  async run(t) {
    const requests = [["job.completed"], ["job.failed", "credit.low"], ["job.timeout"]].map((events) =>
      webhookRequest(t, { events }),
    );
    for (const request of requests) await createdWebhook(t, request);
    const made = t.exchanges.filter((each) => each.endpoint === "POST /v1/webhooks" && succeeded(each));
    // A time that is made when it is asked for would agree with one of the same moment.
    if (t.clock.movable) await t.clock.advance(5_000);
    const listed = await t.api.webhooks();
    const readable = listed.status === 200 && listed.json !== undefined;
    if (!t.check("4.9/1", readable, { expected: "200 with JSON", seen: told(listed) })) return;
    t.observe(
      "4.9/4",
      Array.isArray(listed.json)
        ? "an array"
        : Array.isArray(at(listed.json, "data"))
          ? "a list object with data"
          : "another shape",
    );
    for (const [index, exchange] of made.entries()) {
      const webhook = webhookIn(listed.json, String(at(exchange.json, "id")));
      if (webhook === undefined && mayHaveMore(listed)) {
        t.inconclusive("4.9/1", "the list goes on, and how to read on is not shown");
        continue;
      }
      if (
        !t.check("4.9/1", webhook !== undefined, {
          title: "a webhook is missing from the list",
          expected: `${requests.length} webhooks`,
          seen: listed.text,
        })
      )
        continue;
      const same =
        webhook?.url === requests[index]?.url &&
        sameNames(webhook?.events, requests[index]?.events as string[]) &&
        webhook?.status === at(exchange.json, "status") &&
        webhook?.created_at === at(exchange.json, "created_at");
      t.check("4.9/5", same, { expected: exchange.text, seen: webhook, exchanges: [exchange, listed] });
    }
    const leaked = requests.filter((request) => listed.text.includes(String(request.secret)));
    t.check("4.9/3", leaked.length === 0, {
      title: "the list shows a secret",
      expected: "no secret",
      seen: `${leaked.length} secrets`,
    });
  },
});

/** More than a usual page holds; a service may allow fewer. */
const MANY = 24;

/** All of them, or a list that says that it goes on. */
const many = defineCase({
  id: "4.9/many",
  title: "a list of many webhooks shows all of them, or says that there are more",
  requirements: ["4.9/1"],
  needs: ["wallets"],
  async run(t) {
    const ids: unknown[] = [];
    for (let made = 0; made < MANY; made++) {
      const answer = await t.api.createWebhook(webhookRequest(t));
      if (refused(answer)) break;
      ids.push(at(answer.json, "id"));
    }
    const listed = await listedWebhooks(t);
    const shown = new Set(webhooksIn(listed.json).map((each) => each.id));
    const missing = ids.filter((id) => !shown.has(id));
    t.check("4.9/1", missing.length === 0 || mayHaveMore(listed), {
      title: "some of many webhooks are missing from the list",
      expected: `${ids.length} webhooks`,
      seen: `${ids.length - missing.length} of them`,
      exchanges: listed,
    });
  },
});

/** The caller's webhooks, and nobody else's. */
const others = defineCase({
  id: "4.9/others",
  title: "another wallet's webhooks are neither listed nor deleted",
  requirements: ["4.9/2", "4.10/4"],
  async run(t) {
    const other = await t.otherWallet();
    const mine = await createdWebhook(t, webhookRequest(t));
    const theirs = await createdWebhook(t, webhookRequest(t), other.api);
    const [seenByMe, seenByThem] = [await listedWebhooks(t), await listedWebhooks(t, other.api)];
    const strange = webhookIn(seenByMe.json, theirs.id) ?? webhookIn(seenByThem.json, mine.id);
    t.check("4.9/2", strange === undefined, {
      expected: "only the caller's own webhooks",
      seen: strange,
      exchanges: [theirs.exchange, seenByMe, seenByThem],
    });
    const attempt = await other.api.deleteWebhook(mine.id);
    t.check("4.10/4", refused(attempt) && isErrorObject(attempt), {
      expected: "404 with an error object",
      seen: told(attempt),
    });
    const after = await listedWebhooks(t);
    t.check("4.10/4", webhookIn(after.json, mine.id) !== undefined || mayHaveMore(after), {
      title: "another wallet's key deletes a webhook",
      expected: "the webhook is still listed",
      seen: after.text,
      exchanges: [mine.exchange, attempt, after],
    });
  },
});

/** Deletes the webhook: it leaves the list, the others stay, and the id is unknown from then on. */
const remove = defineCase({
  id: "4.10/delete",
  title: "a deleted webhook leaves the list, and is unknown afterwards",
  requirements: ["4.10/1", "4.10/2", "4.10/5"],
  async run(t) {
    const [first, second, third] = [
      await createdWebhook(t, webhookRequest(t)),
      await createdWebhook(t, webhookRequest(t)),
      await createdWebhook(t, webhookRequest(t)),
    ];
    const deleted = await t.api.deleteWebhook(second.id);
    if (!t.check("4.10/1", succeeded(deleted), { expected: "2xx", seen: told(deleted) })) return;
    t.observe("4.10/2", `${deleted.status} ${deleted.body.length === 0 ? "without a body" : "with a body"}`, {
      consistent: false,
    });
    const after = await listedWebhooks(t);
    const kept = [first, third].every(({ id }) => webhookIn(after.json, id) !== undefined) || mayHaveMore(after);
    t.check("4.10/1", webhookIn(after.json, second.id) === undefined && kept, {
      title: "the list after a deletion is wrong",
      expected: "the deleted webhook gone, the others still there",
      seen: webhooksIn(after.json).map((each) => each.id),
      exchanges: [deleted, after],
    });
    const again = await t.api.deleteWebhook(second.id);
    t.check("4.10/5", again.status === 404 && isErrorObject(again), {
      expected: "404 with an error object",
      seen: told(again),
    });
    await deleteTwin(t);
  },
});

/** Whether one URL may be registered twice is open (2.6/7); where it may, a webhook is deleted by its id, and its twin stays. */
async function deleteTwin(t: CaseContext): Promise<void> {
  const request = webhookRequest(t);
  const one = await createdWebhook(t, request);
  const second = await t.api.createWebhook({ ...request, events: ["job.failed"] });
  const id = at(second.json, "id");
  if (refused(second) || typeof id !== "string" || id === one.id) return;
  await t.api.deleteWebhook(one.id);
  const listed = await listedWebhooks(t);
  t.check("4.10/1", webhookIn(listed.json, id) !== undefined || mayHaveMore(listed), {
    title: "deleting a webhook deletes another with the same URL",
    expected: `${id} still listed`,
    seen: webhooksIn(listed.json).map((each) => each.id),
    exchanges: [second, listed],
  });
  await t.api.deleteWebhook(id);
}

/** No webhook with that identifier: 404. */
const unknown = defineCase({
  id: "4.10/unknown",
  title: "deleting a webhook that never was is answered 404",
  requirements: ["4.10/3"],
  async run(t) {
    const { id } = await createdWebhook(t, webhookRequest(t));
    const control = await t.api.deleteWebhook(id);
    t.accepted(control, "deleting one's own webhook");
    for (const unknown of [`wh_${t.random.text(24)}`, `${id}x`]) {
      const answer = await t.api.deleteWebhook(unknown);
      t.check("4.10/3", answer.status === 404 && isErrorObject(answer), {
        expected: "404 with an error object",
        seen: told(answer),
      });
    }
  },
});

export const listAndDeleteCases = [list, many, others, remove, unknown];
