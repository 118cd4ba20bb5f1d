/** Records every exchange and shows it to the monitors. What they say goes to the attempt whose exchange it was. */

import type { Judgement, Monitor, MonitorContext } from "../checks/monitor.ts";
import { makeMonitors } from "../checks/monitors/index.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Evidence } from "../findings/evidence.ts";
import { type Attempt, faultOf, makeAttempt, show } from "./attempt.ts";

export interface Watch {
  /** Every exchange so far, in the order in which they ended. */
  readonly log: readonly Exchange[];
  readonly monitors: readonly Monitor[];
  /** The attempt that is going on; exchanges belong to it. */
  readonly current: Attempt;
  /** Begins an attempt at a case, or `harness` for the judge's own requests. */
  begin(id: string): Attempt;
  /** What the monitors said of the judge's own requests. */
  readonly ownEvidence: () => readonly Evidence[];
  readonly onExchange: (exchange: Exchange) => void;
  /** Until now exchanges were only recorded: from now on they are judged, beginning with those. */
  open(context: MonitorContext): void;
}

export function makeWatch(): Watch {
  const log: Exchange[] = [];
  const monitors = makeMonitors();
  let current = makeAttempt("preflight");
  const own = [current];
  let context: MonitorContext | null = null;
  const waiting: [Attempt, Exchange][] = [];

  const judge = (attempt: Attempt, exchange: Exchange, known: MonitorContext): void => {
    for (const monitor of monitors) {
      for (const judgement of monitor.see(exchange, known)) {
        attempt.add(evidenceOf(judgement, exchange, monitor.name));
      }
    }
  };
  return {
    log,
    monitors,
    get current() {
      return current;
    },
    begin(id) {
      current = makeAttempt(id);
      if (id === "harness") own.push(current);
      return current;
    },
    ownEvidence: () => own.flatMap((attempt) => attempt.evidence),
    onExchange(exchange) {
      log.push(exchange);
      current.saw(exchange);
      if (context === null) waiting.push([current, exchange]);
      else judge(current, exchange, context);
    },
    open(known) {
      context = known;
      for (const [attempt, exchange] of waiting.splice(0)) judge(attempt, exchange, known);
    },
  };
}

function evidenceOf(judgement: Judgement, exchange: Exchange, monitor: string): Evidence {
  const { requirement } = judgement;
  const source = { case: exchange.case === "preflight" ? null : exchange.case, by: `monitor:${monitor}` };
  switch (judgement.kind) {
    case "passed":
      return { kind: "passed", requirement, source };
    case "observed":
      return {
        kind: "observed",
        requirement,
        source,
        choice: judgement.choice,
        consistent: judgement.consistent ?? false,
      };
    case "failed": {
      const { title, expected, seen } = judgement;
      const exchanges = [...(judgement.with ?? []), exchange];
      const shown = { ...(title === undefined ? {} : { title }), expected, seen: show(seen), exchanges };
      return { kind: "failed", requirement, source, fault: faultOf(requirement, shown, []) };
    }
  }
}
