/** A whole run: connect, plan, try the cases in order, audit, and tell what was found. */
import { setMaxListeners } from "node:events";
import { UNFINISHED } from "../../fixtures/protocol/index.ts";
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import { audit } from "../audit/index.ts";
import type { Api } from "../cases/api.ts";
import type { Case } from "../cases/case.ts";
import { Stop } from "../errors.ts";
import { at } from "../exchange/exchange.ts";
import type { CaseResult, Finding, HarnessFault, Report } from "../findings/report.ts";
import type { Weighed } from "../findings/rows.ts";
import type { TargetOptions } from "../target/options.ts";
import { makeApi } from "./api.ts";
import { type Budget, makeBudget } from "./budget.ts";
import { makeCompany } from "./company.ts";
import { connect } from "./connect.ts";
import { type CaseRun, tryCase } from "./execute.ts";
import { findingsOf, reportFrom } from "./make-report.ts";
import { covers, type Plan, type Planned, planOf, select } from "./plan.ts";
import { probeReceiver } from "./probe.ts";
import type { Target } from "./target.ts";
import type { Runnable } from "./vitest-adapter.ts";
import { makeWatch } from "./watch.ts";

/** What a run tells while it goes on. */
export interface RunEvents {
  /** Before anything is sent but the preflight. */
  planned?(plan: Plan, target: Target): void;
  started?(definition: Case): void;
  /** `findings` makes those that the case alone has shown, when it is called. */
  ended?(result: CaseResult, findings: () => readonly Finding[]): void;
}

export interface RunSettings {
  readonly cases: readonly Case[];
  readonly events?: RunEvents | undefined;
  /** Runs the cases one after another. */
  readonly runner: (tests: readonly Runnable[]) => Promise<void>;
  /** Ends the run early, keeping what it has: Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
  /** The command line that a finding's replay begins with. */
  readonly command: string;
}

/** Runs. Throws `ConformError` when the input is wrong; whatever the target does ends in a report. */
export async function run(options: TargetOptions, settings: RunSettings): Promise<Report> {
  const over = deadline(options.timeout, settings.signal);
  const watch = makeWatch(options.brand);
  const ran = new Map<Planned, CaseRun>();
  let target: Target | null = null;
  try {
    select(settings.cases, options.only);
    const hooks = { ...watch.own, signal: over.signal };
    const connected = await connect(options, hooks);
    target = connected;
    over.signal.addEventListener("abort", () => connected.http.abandon(over.why() ?? ""));
    const { brand } = options;
    const { clock, secrets } = connected;
    connected.receiver.listen(watch.onDelivery);
    watch.open({ brand, secrets, now: clock.now, exactClock: clock.kind === "manual" });

    const budget = makeBudget(options.maxCredits, new Map(connected.keys.map((each) => [each.key, each.balance])));
    const prepared = await probeReceiver(connected, selected(settings.cases, options), budget);
    watch.begin("harness");
    const plan = planFor(prepared, settings.cases);
    settings.events?.planned?.(plan, prepared);

    const company = makeCompany(budget, () => settleBudget(prepared, budget));
    const execute = async (planned: Planned): Promise<void> => {
      settings.events?.started?.(planned.case);
      const ended = await tryCase(planned, {
        target: prepared,
        budget,
        begin: (id) => watch.begin(id, planned.beside),
        seenFrom: (attempt) => ({ ...prepared, http: prepared.http.of(watch.sender(attempt)) }),
        settle: company.settle,
        cutOff: over.why,
      });
      if (!planned.beside) watch.begin("harness");
      ran.set(planned, ended);
      const { log, deliveries } = watch;
      settings.events?.ended?.(ended.result, () =>
        findingsOf(ended.evidence, { target: prepared, log, deliveries, command: settings.command }),
      );
    };
    await settings.runner(
      plan.cases.map((planned) => ({
        suite: planned.beside ? "beside each other" : (planned.case.id.split("/", 1)[0] ?? ""),
        name: planned.case.id,
        beside: planned.beside,
        run: () => company.admit(planned.cost, () => execute(planned)),
      })),
    );

    // In the order of the plan, whichever of them ended first.
    const ended = plan.cases.flatMap((planned) => ran.get(planned) ?? []);
    const evidence = [...ended.flatMap((each) => each.evidence), ...watch.ownEvidence(), ...audit(watch.log, brand)];
    return reportFrom({
      target: prepared,
      plan,
      evidence,
      results: ended.map((each) => each.result),
      faults: ended.flatMap((each): HarnessFault[] =>
        each.fault === null ? [] : [{ case: each.result.id, message: each.fault }],
      ),
      log: watch.log,
      deliveries: watch.deliveries,
      cutOff: over.why(),
      spent: budget.committed,
      selected: rowsOf(plan, evidence, options.only),
      command: settings.command,
    });
  } finally {
    over.clear();
    await target?.close();
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Why the run is over; null while it goes on. */
  readonly why: () => string | null;
  clear(): void;
}

function deadline(milliseconds: number, interrupt: AbortSignal | undefined): Deadline {
  const over = new AbortController();
  // Every wait of a run listens to it, and many may wait at once.
  setMaxListeners(0, over.signal);
  let reason: string | null = null;
  const end = (why: string): void => {
    reason ??= why;
    over.abort();
  };
  const timer = setTimeout(() => end(`the run's ${milliseconds / 1000} s were over (--timeout)`), milliseconds);
  const interrupted = (): void => end("the run was interrupted");
  interrupt?.addEventListener("abort", interrupted);
  return {
    signal: over.signal,
    why: () => reason,
    clear: () => {
      clearTimeout(timer);
      interrupt?.removeEventListener("abort", interrupted);
    },
  };
}

const selected = (cases: readonly Case[], options: TargetOptions): readonly Case[] => select(cases, options.only);

function planFor(target: Target, cases: readonly Case[]): Plan {
  const cheapest = target.models[0];
  return planOf(cases, {
    only: target.options.only,
    available: target.available,
    prices: { flat: cheapest?.credits_per_request ?? 0, perThousand: cheapest?.credits_per_1k_tokens ?? 0 },
    fresh: target.controls.has("wallets"),
    waiting: !target.clock.movable,
  });
}

/** Replaces what was reserved by what the balances tell. */
async function settleBudget(target: Target, budget: Budget): Promise<void> {
  for (const key of budget.unsettled) {
    const api = makeApi({ http: target.http, key, models: [], reserve: () => {} });
    try {
      // A balance may not count yet what a job in flight will take. Until the budget is half spent, the next look makes up for that.
      if (budget.committed > budget.most / 2 && (await anyInFlight(api))) continue;
      const account = await api.account();
      const balance = at(account.json, "credits_remaining");
      if (account.status === 200 && typeof balance === "number") budget.settle(key, balance);
    } catch (error) {
      // When the run's time is over nothing is read any more, and nothing will be spent.
      if (!(error instanceof Stop)) throw error;
    }
  }
}

async function anyInFlight(api: Api): Promise<boolean> {
  for (const status of UNFINISHED) {
    const page = await api.jobs({ status, limit: 1 });
    const jobs = at(page.json, "data");
    if (Array.isArray(jobs) && jobs.length > 0) return true;
  }
  return false;
}

/** The rows that a report is about: all, or those selected and whatever else failed. */
function rowsOf(plan: Plan, evidence: readonly Weighed[], only: readonly string[]): (row: RequirementId) => boolean {
  if (only.length === 0) return () => true;
  const ids = new Set(plan.cases.map((each) => each.case.id));
  const named = new Set(plan.cases.flatMap((each) => (only.includes(each.case.id) ? each.case.requirements : [])));
  for (const each of evidence)
    if (each.kind === "failed" && ids.has(each.source.case ?? "")) named.add(each.requirement);
  return (row) => named.has(row) || only.some((selector) => covers(selector, row));
}
