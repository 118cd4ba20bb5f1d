/** Records every exchange and delivery, and shows them to the monitors. What they say goes to the attempt that sent it, or was going on. */

import type { Judgement, MonitorContext } from "../checks/monitor.ts";
import { makeMonitors } from "../checks/monitors/index.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Sender } from "../exchange/http.ts";
import type { Evidence, Source } from "../findings/evidence.ts";
import type { Delivery } from "../receiver/receiver.ts";
import { type Attempt, faultOf, makeAttempt, show } from "./attempt.ts";

export interface Watch {
  /** Every exchange so far, in the order in which they ended. */
  readonly log: readonly Exchange[];
  /** Every delivery so far, in the order in which they came. */
  readonly deliveries: readonly Delivery[];
  /** The attempt that goes on alone, and to which everything belongs that nobody in particular sent. */
  readonly current: Attempt;
  /** Begins an attempt at a case, or `harness` for the judge's own requests. One that goes on `beside` others does not become the current one. */
  begin(id: string, beside?: boolean): Attempt;
  /** What an attempt sends is its own, whichever is the current one when it is answered. */
  readonly sender: (attempt: Attempt) => Sender;
  /** What the monitors said of the judge's own requests. */
  readonly ownEvidence: () => readonly Evidence[];
  /** What nobody in particular sends: the preflight, and the judge's own requests. */
  readonly own: Sender;
  readonly onDelivery: (delivery: Delivery) => void;
  /** Until now exchanges were only recorded: from now on they are judged, beginning with those. */
  open(context: MonitorContext): void;
}

export function makeWatch(brand: string): Watch {
  const log: Exchange[] = [];
  const deliveries: Delivery[] = [];
  const monitors = makeMonitors(brand);
  let current = makeAttempt("preflight");
  const mine = [current];
  let context: MonitorContext | null = null;
  const waiting: [Attempt, Exchange][] = [];

  const record = (attempt: Attempt, exchange: Exchange): void => {
    log.push(exchange);
    attempt.saw(exchange);
    if (context === null) waiting.push([attempt, exchange]);
    else judge(attempt, exchange, context);
  };
  const judge = (attempt: Attempt, exchange: Exchange, known: MonitorContext): void => {
    for (const monitor of monitors) {
      for (const judgement of monitor.see(exchange, known)) {
        const source = { case: exchange.case === "preflight" ? null : exchange.case, by: `monitor:${monitor.name}` };
        attempt.add(evidenceOf(judgement, source, [exchange]));
      }
    }
  };
  return {
    log,
    deliveries,
    get current() {
      return current;
    },
    begin(id, beside = false) {
      const attempt = makeAttempt(id);
      if (beside) return attempt;
      current = attempt;
      if (id === "harness") mine.push(attempt);
      return attempt;
    },
    sender: (attempt) => ({ owner: () => attempt.case, onExchange: (exchange) => record(attempt, exchange) }),
    own: { owner: () => current.case, onExchange: (exchange) => record(current, exchange) },
    ownEvidence: () => mine.flatMap((attempt) => attempt.evidence),
    onDelivery(delivery) {
      deliveries.push(delivery);
      if (context === null) return;
      for (const monitor of monitors) {
        const source = { case: current.case === "preflight" ? null : current.case, by: `monitor:${monitor.name}` };
        for (const judgement of monitor.hear?.(delivery, context) ?? []) {
          current.add(evidenceOf(judgement, source, []));
        }
      }
    },
    open(known) {
      context = known;
      for (const [attempt, exchange] of waiting.splice(0)) judge(attempt, exchange, known);
    },
  };
}

function evidenceOf(judgement: Judgement, source: Source, exchanges: readonly Exchange[]): Evidence {
  const { requirement } = judgement;
  switch (judgement.kind) {
    case "passed":
      return { kind: "passed", requirement, source };
    case "observed": {
      const { choice, consistent = false } = judgement;
      return { kind: "observed", requirement, source, choice, consistent };
    }
    case "failed": {
      const { title, expected, seen } = judgement;
      const shown = { ...(title === undefined ? {} : { title }), expected, seen: show(seen) };
      const all = [...(judgement.with ?? []), ...exchanges];
      return { kind: "failed", requirement, source, fault: faultOf(requirement, { ...shown, exchanges: all }, []) };
    }
  }
}
