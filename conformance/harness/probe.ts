/**
 * Does the target really reach the receiver? Asked once, with one paid request, and only when some case needs to know. Deliveries that never come
 * are the service's fault only where nothing stood in their way.
 */
import { missingNeeds } from "../../fixtures/protocol/requirements/index.ts";
import type { Case } from "../cases/case.ts";
import { Stop } from "../errors.ts";
import { at, succeeded } from "../exchange/exchange.ts";
import { makeAttempt } from "./attempt.ts";
import type { Budget } from "./budget.ts";
import { openContext, outcomeOf } from "./context.ts";
import { needsOf } from "./plan.ts";
import type { Target } from "./target.ts";

const EVENTS = ["job.submitted", "job.processing", "job.completed"];
const WITHIN = 20_000;

/** The target, with what the probe learned. */
export async function probeReceiver(target: Target, cases: readonly Case[], budget: Budget): Promise<Target> {
  const wanted = cases.some(
    (each) => needsOf(each).includes("receiver") && missingNeeds(needsOf(each), target.available).length === 0,
  );
  // In process nothing can stand between: what does not come was not sent.
  if (!wanted || target.options.inProcessReceiver !== undefined) return target;
  const reason = await unreachable(target, budget);
  if (reason === null) return target;
  return {
    ...target,
    noReceiver: reason,
    available: new Set([...target.available].filter((each) => each !== "receiver")),
  };
}

async function unreachable(target: Target, budget: Budget): Promise<string | null> {
  const probe: Case = { id: "preflight", title: "", requirements: [], run: () => Promise.resolve() };
  try {
    const { context, close } = await openContext(target, probe, makeAttempt("preflight"), budget);
    try {
      const endpoint = target.receiver.open("probe");
      const created = await context.api.createWebhook({
        url: endpoint.url,
        events: EVENTS,
        secret: "whsec_probe_of_the_receiver_of_deliveries_here",
      });
      if (!succeeded(created))
        return `the target does not take the receiver's address: ${outcomeOf(created)} (--receiver-url)`;
      const chat = await context.api.say();
      if (!succeeded(chat)) return null;
      // Who has refused the certificate once refuses it again; but a fast clock may only have hurried past a slow handshake.
      const refused = (): boolean => context.clock.rate === 1 && target.receiver.refusedHandshakes > 0;
      const told = (): boolean => endpoint.deliveries.length > 0 || refused();
      await context.clock.advanceUntil(told, { within: WITHIN });
      await context.api.deleteWebhook(String(at(created.json, "id")));
      if (endpoint.deliveries.length > 0) return null;
      if (target.receiver.refusedHandshakes > 0) {
        return "the target does not trust the receiver's certificate (--receiver-cert and --receiver-key)";
      }
      return bothHere(target) ? null : "no delivery of the target reached the receiver (--receiver-url)";
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof Stop) return `whether the target reaches the receiver could not be tried: ${error.reason}`;
    throw error;
  }
}

/** On one machine nothing stands between: a delivery that does not come was not sent. */
function bothHere(target: Target): boolean {
  const here = /^(localhost|127\.|\[?::1)/;
  const { receiver } = target.options;
  return here.test(new URL(target.options.baseUrl).hostname) && receiver !== false && receiver.publicUrl === undefined;
}
