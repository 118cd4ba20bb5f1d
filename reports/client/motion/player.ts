/** Plays the tape: one moment, shown on the stage, on the time line, in the trace and in the followed job's life. */
import type { Tape } from "../../motion/tape.ts";
import { announce } from "../dom.ts";
import { Dial } from "./dial.ts";
import { showLife } from "./life.ts";
import { loadTape } from "./load.ts";
import { Stage, TONES } from "./stage.ts";
import { Strip } from "./strip.ts";
import { isTrouble, stamp, TraceList } from "./trace-list.ts";

/** The slider's own steps. */
const STEPS = 100_000;
/** Real seconds in which a whole tape plays, at the speed that is chosen at first. */
const SITTING = 75;

const byId = <E extends HTMLElement>(id: string): E => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page lacks #${id}`);
  return element as E;
};

export async function startMotion(): Promise<void> {
  const root = document.getElementById("motion-player");
  if (root === null) return;
  const tape = await loadTape();
  if (tape === null) return;
  byId("motion-absent").hidden = true;
  root.hidden = false;
  new Player(tape, root);
}

class Player {
  readonly #tape: Tape;
  readonly #dial: Dial;
  readonly #stage: Stage;
  readonly #strip: Strip;
  readonly #list: TraceList;
  readonly #canvas = byId<HTMLCanvasElement>("stage");
  readonly #scrub = byId<HTMLInputElement>("scrub");
  readonly #play = byId<HTMLButtonElement>("play");
  readonly #speed = byId<HTMLSelectElement>("speed");
  readonly #follow = byId<HTMLInputElement>("follow");
  readonly #filter = byId<HTMLSelectElement>("trace-filter");
  readonly #trouble: readonly boolean[];
  #now: number;
  #event = -1;
  #followed = -1;
  #playing = false;
  #frameAt = 0;
  #asked = false;

  constructor(tape: Tape, root: HTMLElement) {
    this.#tape = tape;
    this.#now = tape.data.from;
    this.#dial = new Dial(tape.data.from, tape.data.to, tape.time, tape.count);
    this.#trouble = tape.data.kinds.map(([name]) => isTrouble(name));
    this.#stage = new Stage(tape, this.#canvas);
    this.#strip = new Strip(tape, this.#dial, byId<HTMLCanvasElement>("strip"));
    this.#list = new TraceList(tape, byId("trace"), document.getElementById("trace-count"), {
      chosen: (event) => this.#goTo(event),
      followed: (job) => this.#followJob(job),
    });
    const idle = this.#dial.gaps.reduce((sum, { from, to }) => sum + to - from, 0);
    const wanted = (tape.data.to - tape.data.from - idle) / 1e6 / SITTING;
    const speeds = [...this.#speed.options].map((option) => Number(option.value));
    this.#speed.value = String(speeds.findLast((speed) => speed <= wanted) ?? 1);
    byId("counts").replaceChildren(...TONES.map((tone) => legend(tone)));
    this.#listen(root);
    new ResizeObserver(() => this.#resize()).observe(this.#canvas);
    document.addEventListener("theme", () => this.#resize());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#resize());
    this.#resize();
    this.#seek(firstSight(tape));
  }

  #listen(root: HTMLElement): void {
    this.#play.addEventListener("click", () => this.#toggle());
    byId("next").addEventListener("click", () => this.#goTo(Math.min(this.#tape.count - 1, this.#event + 1)));
    byId("back").addEventListener("click", () => this.#goTo(Math.max(0, this.#event - 1)));
    byId("trouble").addEventListener("click", () => this.#nextTrouble());
    this.#scrub.addEventListener("input", () => {
      this.#seek(this.#dial.timeOf(Number(this.#scrub.value) / STEPS), false);
    });
    this.#filter.addEventListener("change", () => this.#list.filter(this.#filter.value, this.#followed));
    this.#follow.addEventListener("change", () => this.#followNumber());
    byId("unfollow").addEventListener("click", () => this.#followJob(-1));
    this.#canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const job = this.#stage.jobAt(offsetX, offsetY);
      if (job >= 0) this.#followJob(job);
    });
    root.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.matches("button, select, input:not([type=range])")) return;
      if (event.key === " ") this.#toggle();
      else if (event.key === "t") this.#nextTrouble();
      else return;
      event.preventDefault();
    });
  }

  #resize(): void {
    this.#stage.resize();
    this.#strip.resize();
    this.#show();
  }

  #toggle(): void {
    this.#playing = !this.#playing;
    this.#play.textContent = this.#playing ? "Pause" : "Play";
    this.#play.setAttribute("aria-pressed", String(this.#playing));
    if (this.#playing && this.#now >= this.#tape.data.to) this.#seek(this.#tape.data.from);
    this.#frameAt = performance.now();
    if (this.#playing) this.#ask();
    else this.#tell();
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame((at) => {
      this.#asked = false;
      if (this.#playing) this.#advance(at);
    });
  }

  #advance(at: number): void {
    // A tab that slept does not leap.
    const passed = Math.max(0, Math.min(100, at - this.#frameAt));
    this.#frameAt = at;
    const next = this.#dial.past(this.#now + passed * 1_000 * Number(this.#speed.value));
    this.#seek(Math.min(this.#tape.data.to, next));
    if (this.#now >= this.#tape.data.to) this.#toggle();
    else this.#ask();
  }

  /** Goes to a moment. */
  #seek(now: number, moveSlider = true): void {
    this.#now = now;
    this.#event = this.#tape.after(now) - 1;
    if (moveSlider) this.#slide();
    this.#show();
    this.#list.show(this.#event);
  }

  /** Goes to an event, of which there may be several at one moment. */
  #goTo(event: number): void {
    this.#now = this.#tape.time[event] ?? this.#now;
    this.#event = event;
    this.#slide();
    this.#show();
    this.#list.show(event);
    if (!this.#playing) this.#tell();
  }

  #slide(): void {
    this.#scrub.value = String(Math.round(this.#dial.placeOf(this.#now) * STEPS));
  }

  #nextTrouble(): void {
    const { kind, count } = this.#tape;
    for (let event = this.#event + 1; event < count; event++) {
      if (this.#trouble[kind[event] as number]) {
        this.#goTo(event);
        return;
      }
    }
    announce("No more trouble in this trace.");
  }

  #followNumber(): void {
    const { number, count } = this.#tape.jobs;
    const wanted = this.#follow.valueAsNumber;
    const job = Number.isNaN(wanted) ? -1 : number.subarray(0, count).indexOf(wanted);
    if (Number.isNaN(wanted)) this.#followJob(-1);
    else if (job < 0) announce(`Job ${wanted} is not in this trace.`);
    else this.#followJob(job, true);
  }

  #followJob(job: number, go = false): void {
    this.#followed = job;
    const { jobs } = this.#tape;
    byId("unfollow").hidden = job < 0;
    this.#follow.value = job < 0 ? "" : String(jobs.number[job]);
    this.#filter.value = job < 0 ? "" : "followed";
    this.#list.filter(this.#filter.value, job);
    showLife(this.#tape, job, byId("life"), (event) => this.#goTo(event));
    if (job >= 0) announce(`Following job ${jobs.number[job]}.`);
    if (go && (this.#now < (jobs.created[job] as number) || this.#now > (jobs.ended[job] as number))) {
      this.#seek(jobs.created[job] as number);
    } else this.#show();
  }

  #show(): void {
    const speed = Number(this.#speed.value);
    this.#stage.draw(this.#now, speed, this.#followed);
    this.#strip.draw(this.#now);
    byId("now").textContent = stamp(this.#now);
    this.#scrub.setAttribute("aria-valuetext", stamp(this.#now));
    const { counts } = this.#stage;
    for (const tone of TONES) {
      const place = document.querySelector(`#counts [data-tone="${tone}"] b`);
      if (place !== null) place.textContent = counts[tone].toLocaleString("en");
    }
    const strike = byId("strike");
    const name = this.#event < 0 ? "" : this.#tape.kindName(this.#event);
    const struck = isTrouble(name);
    strike.hidden = !struck;
    if (struck) strike.textContent = `${name}: ${this.#tape.text(this.#event)}`;
  }

  /** What the stage shows, in words. */
  #tell(): void {
    const { counts } = this.#stage;
    const told = TONES.map((tone) => `${counts[tone]} ${NAMES[tone]}`).join(", ");
    this.#canvas.setAttribute("aria-label", `The network at ${stamp(this.#now)}: ${told}`);
  }
}

/** Where the tape opens: something is to be seen when the first job has reached its worker. */
function firstSight({ data, jobs }: Tape): number {
  for (let job = 0; job < jobs.count; job++) {
    const taken = jobs.taken[job] as number;
    if (taken >= data.from && taken <= data.to) return taken;
  }
  return data.from;
}

const NAMES: Readonly<Record<(typeof TONES)[number], string>> = {
  waiting: "wait for their lock",
  queued: "queue for a worker",
  serving: "at a worker",
  settling: "settling",
  settled: "settled so far",
  refunded: "refunded so far",
  failed: "failed so far",
};

function legend(tone: (typeof TONES)[number]): HTMLElement {
  const item = document.createElement("li");
  item.dataset.tone = tone;
  const [swatch, count] = [document.createElement("i"), document.createElement("b")];
  swatch.className = `tone-${tone}`;
  item.append(swatch, count, ` ${NAMES[tone]}`);
  return item;
}
