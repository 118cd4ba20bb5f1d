/** One job from its request to its settlement, step by step. */
import type { Tape } from "../../motion/tape.ts";
import { stamp } from "./trace-list.ts";

const STEPS: Readonly<Record<string, string>> = {
  "job.created": "asked for; the lock is sent",
  "job.locked": "lock in a sealed block",
  "job.processing": "taken by a worker",
  "job.firstToken": "first token",
  "job.lastToken": "last token",
  "job.settling": "proof in a sealed block",
  "job.paid": "settlement in a sealed block",
  "job.settled": "settled",
  "job.failed": "failed",
  "job.refunded": "refunded after 120 s",
  "job.returned": "units back in the wallet",
  "job.late": "finished too late; not paid",
  "job.disputed": "disputed",
  "dispute.recorded": "dispute in a sealed block",
  "dispute.decided": "verdict",
  "stake.slashed": "the worker's stake is slashed",
  "slot.freed": "the worker is free again",
};

export function showLife(tape: Tape, job: number, place: HTMLElement, go: (event: number) => void): void {
  place.hidden = job < 0;
  if (job < 0) return;
  const { jobs, data } = tape;
  const heading = place.querySelector("h3");
  if (heading !== null) {
    const model = data.names.models[jobs.model[job] as number] ?? "";
    heading.textContent = `Job ${jobs.number[job]} of wallet ${jobs.wallet[job]}${model === "" ? "" : `, ${model}`}`;
  }
  const items: HTMLElement[] = [];
  let before = Number.NaN;
  for (let event = 0; event < tape.count; event++) {
    if (tape.jobOf[event] !== job) continue;
    const time = tape.time[event] as number;
    const button = document.createElement("button");
    button.type = "button";
    const [moment, what, text] = ["span", "b", "span"].map((tag) => document.createElement(tag)) as [
      HTMLElement,
      HTMLElement,
      HTMLElement,
    ];
    moment.className = "time";
    moment.textContent = Number.isNaN(before) ? stamp(time) : `+${((time - before) / 1e6).toFixed(3)} s`;
    const name = tape.kindName(event);
    what.textContent = STEPS[name] ?? name;
    text.className = "soft small";
    text.textContent = tape.text(event);
    button.append(moment, what, text);
    button.addEventListener("click", () => go(event));
    const item = document.createElement("li");
    item.append(button);
    items.push(item);
    before = time;
  }
  place.querySelector("ol")?.replaceChildren(...items);
}
