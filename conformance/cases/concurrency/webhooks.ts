/** Sections 4.8 to 4.10 under concurrency: webhooks made, and one deleted twice, at once. */
import { at, succeeded } from "../../exchange/exchange.ts";
import { explain, type Operation } from "../../model/linear.ts";
import { defineCase } from "../case.ts";
import { eventually } from "../support/deliveries.ts";
import { told } from "../support/refusals.ts";
import { listedWebhooks, mayHaveMore, sameNames, webhookIn, webhookRequest } from "../support/webhooks.ts";

/** Some order explains the answers: the first deletes it, and for the others there is none. */
const deletedTwice = defineCase({
  id: "concurrency/deleted-twice",
  title: "of deletions of one webhook at once one succeeds, and the others find nothing",
  requirements: ["4.10/1", "4.10/5"],
  async run(t) {
    for (const count of [2, 5]) {
      const created = await t.api.createWebhook(webhookRequest(t));
      t.accepted(created, "a webhook without fault");
      const id = String(at(created.json, "id"));
      const calls = Array.from({ length: count }, () => t.api.deleteWebhook(id).start());
      await t.clock.settle();
      const answers = await Promise.all(calls.map((each) => each.finish()));
      const deletions = answers.map((answer, index): Operation<boolean> => {
        // There: deleted. Not there: unknown. Any other answer is explained by no order.
        const apply = (there: boolean): boolean | null =>
          there && succeeded(answer) ? false : !there && answer.status === 404 ? false : null;
        return { name: String(index + 1), from: answer.sentAt, to: answer.endedAt, apply };
      });
      t.check("4.10/5", explain(true, deletions, String) !== null, {
        title: "no order of deletions of one webhook at once explains their answers",
        expected: "one 2xx, and 404 for the others",
        seen: answers.map(told),
        exchanges: answers,
      });
      const list = await listedWebhooks(t);
      t.check("4.10/1", webhookIn(list.json, id) === undefined, {
        title: "a webhook that was deleted more than once at once is still there",
        expected: "no such webhook",
        seen: list.text,
        exchanges: [...answers, list],
      });
    }
  },
});

/** Each creation is its own: ids differ, and all are listed with what they were made of. */
const madeTogether = defineCase({
  id: "concurrency/webhooks-made",
  title: "webhooks made at once all exist, each with its own id, url and events",
  requirements: ["2.6/2", "2.6/6", "4.9/1"],
  async run(t) {
    const events = [["job.completed"], ["job.failed", "job.timeout"], ["credit.low"], ["job.disputed"]];
    const calls = events.map((each) => t.api.createWebhook(webhookRequest(t, { events: each })).start());
    await t.clock.settle();
    const answers = await Promise.all(calls.map((each) => each.finish()));
    for (const answer of answers) t.accepted(answer, "a webhook without fault");
    const ids = answers.map((answer) => String(at(answer.json, "id")));
    t.check("2.6/6", new Set(ids).size === ids.length, { expected: "ids that differ", seen: ids, exchanges: answers });
    const list = await listedWebhooks(t);
    for (const [index, id] of ids.entries()) {
      const listed = webhookIn(list.json, id);
      if (listed === undefined && mayHaveMore(list)) continue;
      const told = { seen: list.text, exchanges: [...answers, list] };
      if (!t.check("4.9/1", listed !== undefined, { ...told, expected: id })) return;
      const asked = answers[index]?.request.json;
      const same = listed?.url === at(asked, "url") && sameNames(listed?.events, events[index] as string[]);
      t.check("2.6/2", same, {
        title: "webhooks made at once have each other's url or events",
        expected: JSON.stringify({ url: at(asked, "url"), events: events[index] }),
        seen: listed,
        exchanges: [...answers, list],
      });
    }
  },
});

/** Deleted while its events are on their way: what was sent may arrive, and nothing after it. */
const deletedMeanwhile = defineCase({
  id: "concurrency/deleted-meanwhile",
  title: "a webhook deleted while jobs finish is sent nothing more, and the others are sent everything",
  requirements: ["4.10/6", "6.1/3", "6/5"],
  needs: ["receiver", "credits", "patience"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const [gone, kept] = [
      await t.subscribe({ events: ["job.completed"] }),
      await t.subscribe({ events: ["job.completed"] }),
    ];
    const calls = Array.from({ length: 4 }, (_, index) => t.api.say({ stream: index % 2 === 1 }).start());
    await t.clock.settle();
    const [deletion, ...answers] = await Promise.all([
      t.api.deleteWebhook(gone.id),
      ...calls.map((each) => each.finish()),
    ]);
    t.accepted(deletion, "a deletion");
    for (const answer of answers) t.accepted(answer, "a valid chat");
    const ids = answers.map((answer) => answer.headers.get(`x-${t.brand}-job-id`));
    const told = (): boolean =>
      ids.every((id) => kept.endpoint.of("job.completed").some((delivery) => delivery.jobId === id));
    const came = await eventually(t, told, 300_000);
    const seen = kept.endpoint.deliveries.map((each) => `${each.event} ${each.jobId}`);
    t.check("6.1/3", came, { expected: `job.completed of ${ids.join(", ")}`, seen, exchanges: kept.created });
    t.check("6/5", came, { expected: "the webhook that was kept is told", seen, exchanges: kept.created });
    const slack = t.clock.kind === "manual" ? 0 : 2_000;
    const late = gone.endpoint.deliveries.filter((each) => each.earliest > deletion.endedAt + slack);
    t.check("4.10/6", late.length === 0, {
      title: "a webhook deleted while jobs finish is sent their events",
      expected: "nothing after the deletion",
      seen: late.map((each) => each.text.slice(0, 200)),
      exchanges: [gone.created, deletion],
    });
  },
});

export const webhookCases = [deletedTwice, madeTogether, deletedMeanwhile];
