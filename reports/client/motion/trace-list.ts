/** The trace as text: only the lines in sight are in the document, so that a hundred thousand scroll as easily as ten. */
import type { Tape } from "../../motion/tape.ts";

const ROW = 24;

/** Kinds of each choice, by how their names begin. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  job: /^(job|request|dispute)\./,
  chain:
    /^(block|tx|chain|units|job\.(locked|paid|returned|settled|unsettled|resettled)|books|stakes|dispute\.(recorded|decided))/,
  worker: /^(worker|stake|slot|job\.(processing|late|cheated)|audit)/,
  webhook: /^(webhook|delivery)\./,
  trouble:
    /^(fault\.|job\.(failed|refunded|late|disputed|unsettled|cheated)|stake\.slashed|worker\.(left|down)|block\.undone|request\.refused|tx\.(reverted|undone)|chain\.reorganised|webhook\.failed)/,
};

/** Kinds that tell of trouble. */
export const isTrouble = (name: string): boolean => GROUPS.trouble?.test(name) ?? false;

export interface TraceEvents {
  /** A line was chosen: its event. */
  chosen(event: number): void;
  followed(job: number): void;
}

export class TraceList {
  readonly #tape: Tape;
  readonly #box: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #count: HTMLElement | null;
  readonly #events: TraceEvents;
  /** Events in the list, ascending; null for all. */
  #shown: Uint32Array | null = null;
  #current = -1;
  #drawn = "";

  constructor(tape: Tape, box: HTMLElement, count: HTMLElement | null, events: TraceEvents) {
    this.#tape = tape;
    this.#box = box;
    this.#count = count;
    this.#events = events;
    this.#rows = box.querySelector<HTMLElement>(".rows") ?? box;
    box.addEventListener("scroll", () => this.#draw());
    box.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-event]") : null;
      if (row !== null) events.chosen(Number(row.dataset.event));
    });
    box.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#draw(true)).observe(box);
    this.filter("", -1);
  }

  /** Shows the events of a group, or of one job. */
  filter(group: string, job: number): void {
    const { kind, data, jobOf, count } = this.#tape;
    if (group === "") this.#shown = null;
    else {
      const fits = data.kinds.map(([name]) => GROUPS[group]?.test(name) ?? false);
      const kept: number[] = [];
      for (let i = 0; i < count; i++) {
        if (group === "followed" ? job >= 0 && jobOf[i] === job : fits[kind[i] as number]) kept.push(i);
      }
      this.#shown = Uint32Array.from(kept);
    }
    this.#rows.style.height = `${this.#length * ROW}px`;
    if (this.#count !== null) this.#count.textContent = `${this.#length.toLocaleString("en")} events`;
    this.#draw(true);
    this.show(this.#current);
  }

  get #length(): number {
    return this.#shown?.length ?? this.#tape.count;
  }

  #eventAt(line: number): number {
    return this.#shown === null ? line : (this.#shown[line] ?? -1);
  }

  /** The last line that is not after an event. */
  #lineOf(event: number): number {
    if (this.#shown === null) return event;
    let [low, high] = [0, this.#shown.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#shown[middle] as number) <= event) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Marks an event as the present one and brings it into sight. */
  show(event: number): void {
    this.#current = event;
    const line = this.#lineOf(event);
    const top = line * ROW;
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop + ROW || top > scrollTop + clientHeight - 3 * ROW) this.#box.scrollTop = top - clientHeight / 2;
    this.#draw(true);
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#box.clientHeight / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    const line = this.#lineOf(this.#current);
    if (by !== undefined) {
      const next = Math.max(0, Math.min(this.#length - 1, line + by));
      if (this.#length > 0) this.#events.chosen(this.#eventAt(next));
    } else if (event.key === "Enter") {
      const job = this.#tape.jobOf[this.#eventAt(line)] ?? -1;
      if (job >= 0) this.#events.followed(job);
    } else return;
    event.preventDefault();
  }

  #draw(always = false): void {
    const first = Math.max(0, Math.floor(this.#box.scrollTop / ROW) - 4);
    const last = Math.min(this.#length, Math.ceil((this.#box.scrollTop + this.#box.clientHeight) / ROW) + 4);
    const key = `${first} ${last}`;
    if (!always && key === this.#drawn) return;
    this.#drawn = key;
    const present = this.#lineOf(this.#current);
    const rows: HTMLElement[] = [];
    for (let line = first; line < last; line++) rows.push(this.#row(line, line === present));
    this.#rows.replaceChildren(...rows);
    if (present >= first && present < last) this.#box.setAttribute("aria-activedescendant", `event-${present}`);
    else this.#box.removeAttribute("aria-activedescendant");
  }

  #row(line: number, present: boolean): HTMLElement {
    const event = this.#eventAt(line);
    const name = this.#tape.kindName(event);
    const row = document.createElement("div");
    row.id = `event-${line}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(present));
    row.setAttribute("aria-setsize", String(this.#length));
    row.setAttribute("aria-posinset", String(line + 1));
    row.dataset.event = String(event);
    row.style.top = `${line * ROW}px`;
    row.className = isTrouble(name) ? "row trouble" : "row";
    const [time, kind, text] = ["span", "b", "span"].map((tag) => document.createElement(tag)) as [
      HTMLElement,
      HTMLElement,
      HTMLElement,
    ];
    time.className = "time";
    time.textContent = stamp(this.#tape.time[event] as number);
    kind.textContent = name;
    text.textContent = this.#tape.text(event);
    row.append(time, kind, text);
    return row;
  }
}

/** `1:02:03.456` */
export function stamp(time: number): string {
  const total = Math.floor(time / 1_000);
  const two = (count: number): string => String(count).padStart(2, "0");
  return `${Math.floor(total / 3_600_000)}:${two(Math.floor(total / 60_000) % 60)}:${two(Math.floor(total / 1_000) % 60)}.${String(total % 1_000).padStart(3, "0")}`;
}
