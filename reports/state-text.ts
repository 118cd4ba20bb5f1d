/** The world at a moment, for people at a terminal. */
import type { WorldState } from "../sim/inspect/index.ts";
import { exactTime, faultWords } from "./event-text.ts";
import type { Palette } from "./palette.ts";
import { tableOf } from "./plain-table.ts";

/** Rows of a table that are printed at most. */
const MOST = 30;

const whole = (count: number): string => count.toLocaleString("en-US");

export function renderState(state: WorldState, colours: Palette): string {
  const { jobs, workers, wallets, units, ended } = state;
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const present = workers.filter((worker) => worker.present);
  const lines = [
    `${colours.strong(exactTime(state.time))}  after ${whole(state.events)} events and ${whole(state.blocks)} blocks`,
    `jobs        ${whole(jobs.length)} under way; ended: ${whole(ended.settled)} settled, ${whole(ended.failed)} failed, ${whole(ended.refunded)} refunded`,
    `workers     ${whole(present.length)} of ${whole(workers.length)} present; ${whole(sum(workers.map((worker) => worker.busy)))} of ${whole(sum(present.map((worker) => worker.slots)))} slots taken; ${whole(sum(workers.map((worker) => worker.stake)))} tokens at stake`,
    `units       ${whole(sum(wallets.map((wallet) => wallet.available)))} available, ${whole(sum(wallets.map((wallet) => wallet.locked)))} locked, ${whole(units.settled)} settled, ${whole(units.redeemed)} redeemed`,
    `waiting     ${whole(state.deliveries)} deliveries, ${whole(state.disputes)} disputes`,
    ...(state.faults.length > 0
      ? [
          `faults      ${state.faults.map(({ fault, subject }) => `${faultWords(fault)} (fault ${subject} of the list)`).join(", ")}`,
        ]
      : []),
    "",
    ...some(
      ["job", "status", "age", "worker", "model", "wallet"],
      jobs.map((job) => [
        `${job.number}`,
        job.status,
        exactTime(state.time - job.createdAt),
        job.worker < 0 ? "-" : `${job.worker}`,
        `${job.model}`,
        `${job.wallet}`,
      ]),
    ),
    ...some(
      ["worker", "kind", "busy", "stake", ""],
      workers
        .map((worker, id) => [
          `${id}`,
          worker.native ? "native" : "browser",
          `${worker.busy}/${worker.slots}`,
          whole(worker.stake),
          worker.present ? "" : "left",
        ])
        .filter((_, id) => workers[id]!.busy > 0 || !workers[id]!.present),
    ),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function some(heading: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const left = rows.length - MOST;
  return [tableOf([heading, ...rows.slice(0, MOST)]), ...(left > 0 ? [`... ${whole(left)} more`] : []), ""];
}
