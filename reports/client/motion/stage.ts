/** Draws the network at a moment of the tape: every frame from nothing, so that any moment can follow any other. */
import { ENDED, type Tape } from "../../motion/tape.ts";
import { type Box, type Layout, layoutOf, workerBox } from "./layout.ts";
import { ease, Positions } from "./positions.ts";

/** Real seconds that a dot takes from one place to the next. */
const TRAVEL = 0.45;
const DOT = 3.2;
/** Rings of slots that are drawn; a large network goes without. */
const MOST_RINGS = 2_000;

export const TONES = ["waiting", "queued", "serving", "settling", "settled", "refunded", "failed"] as const;
type Tone = (typeof TONES)[number];

/** What the page's custom properties say: a tone's colour. */
const PROPERTIES: Readonly<Record<Tone, string>> = {
  waiting: "--c3",
  queued: "--c2",
  serving: "--c1",
  settling: "--c4",
  settled: "--passed",
  refunded: "--inconclusive",
  failed: "--failed",
};

/** How many jobs are where, at the moment that was drawn last. */
export type Counts = Record<Tone, number>;

interface Placed {
  readonly job: number;
  readonly x: number;
  readonly y: number;
}

export class Stage {
  readonly #tape: Tape;
  readonly #canvas: HTMLCanvasElement;
  readonly #screen: CanvasRenderingContext2D;
  /** What stands still, drawn anew only when a worker or a fault comes or goes. */
  readonly #places: CanvasRenderingContext2D;
  #placesKey = "";
  /** Where is drawn at present. */
  #context: CanvasRenderingContext2D;
  #layout: Layout;
  #positions: Positions;
  #colours: Record<string, string> = {};
  #placed: Placed[] = [];
  /** By worker: jobs drawn in its box so far. */
  readonly #held: Uint16Array;
  readonly counts: Counts = { waiting: 0, queued: 0, serving: 0, settling: 0, settled: 0, refunded: 0, failed: 0 };

  constructor(tape: Tape, canvas: HTMLCanvasElement) {
    this.#tape = tape;
    this.#canvas = canvas;
    const context = canvas.getContext("2d");
    const places = document.createElement("canvas").getContext("2d");
    if (context === null || places === null) throw new Error("the browser draws no canvas");
    this.#screen = context;
    this.#context = context;
    this.#places = places;
    this.#held = new Uint16Array(tape.workers.count);
    this.#layout = layoutOf(tape, 1, 1);
    this.#positions = new Positions(tape, this.#layout);
    this.resize();
  }

  /** Takes the canvas's size and the page's colours. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const ratio = Math.min(3, devicePixelRatio || 1);
    const font = `11px ${getComputedStyle(this.#canvas).fontFamily}`;
    for (const context of [this.#screen, this.#places]) {
      context.canvas.width = Math.round(width * ratio);
      context.canvas.height = Math.round(height * ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.font = font;
      context.textBaseline = "middle";
    }
    this.#placesKey = "";
    this.#layout = layoutOf(this.#tape, width, height);
    this.#positions = new Positions(this.#tape, this.#layout);
    const style = getComputedStyle(document.documentElement);
    const names = [
      "--ink",
      "--soft",
      "--line",
      "--strong-line",
      "--panel",
      "--paper",
      "--failed",
      ...Object.values(PROPERTIES),
    ];
    this.#colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()]));
  }

  /** The job whose dot lies at a point of the canvas; -1 for none. */
  jobAt(x: number, y: number): number {
    let [found, nearest] = [-1, 12 ** 2];
    for (const each of this.#placed) {
      const distance = (each.x - x) ** 2 + (each.y - y) ** 2;
      if (distance < nearest) [found, nearest] = [each.job, distance];
    }
    return found;
  }

  /** @param speed simulated seconds a real second: how far dots are on their way */
  draw(now: number, speed: number, followed: number): void {
    const { width, height } = this.#layout;
    this.#placed = [];
    this.#screen.clearRect(0, 0, width, height);
    const key = this.#keyOf(now);
    if (key !== this.#placesKey) {
      this.#placesKey = key;
      this.#places.clearRect(0, 0, width, height);
      this.#context = this.#places;
      this.#drawPlaces(now);
      this.#context = this.#screen;
    }
    if (width > 0 && height > 0) this.#screen.drawImage(this.#places.canvas, 0, 0, width, height);
    this.#drawBlocks(now);
    this.#drawJobs(now, Math.max(1_000, TRAVEL * 1e6 * speed), followed);
  }

  #keyOf(now: number): string {
    const { workers, faults, downs } = this.#tape;
    let [joined, left, slashed] = [0, 0, 0];
    for (let worker = 0; worker < workers.count; worker++) {
      if ((workers.joined[worker] as number) <= now) joined++;
      if ((workers.left[worker] as number) <= now) left++;
      if ((workers.slashed[worker] as number) <= now) slashed++;
    }
    const acts = ({ from, to }: { readonly from: number; readonly to: number }): string =>
      from <= now && now < to ? "1" : "0";
    const active = [...faults, ...downs].map(acts).join("");
    return `at ${joined} ${left} ${slashed} ${active}`;
  }

  #colour(name: string): string {
    return this.#colours[name] ?? "#888";
  }

  #frame(box: Box, title: string, colour = "--strong-line"): void {
    const context = this.#context;
    context.strokeStyle = this.#colour(colour);
    context.fillStyle = this.#colour("--panel");
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, 6);
    context.fill();
    context.stroke();
    this.#label(title, box.x + 2, box.y - 11);
  }

  #label(text: string, x: number, y: number, colour = "--soft"): void {
    this.#context.fillStyle = this.#colour(colour);
    this.#context.fillText(text, x, y);
  }

  #drawPlaces(now: number): void {
    const { clients, gateway, workers, chain } = this.#layout;
    const { names } = this.#tape.data;
    const active = this.#tape.faults.filter(({ from, to }) => from <= now && now < to).map(({ name }) => name);
    const atWorkers = active.filter((name) => /worker|job/.test(name));
    const atChain = active.filter((name) => !atWorkers.includes(name));
    clients.forEach((box, index) => {
      this.#frame(box, index === 0 ? "Clients" : "");
      this.#fit(names.populations[index] ?? "", box);
    });
    this.#frame(gateway, "Gateway");
    this.#label(
      ["Workers", ...atWorkers].join(": "),
      workers.x + 2,
      workers.y - 11,
      atWorkers.length === 0 ? "--soft" : "--failed",
    );
    this.#drawWorkers(now);
    this.#frame(chain, ["Chain", ...atChain].join(": "), atChain.length === 0 ? "--strong-line" : "--failed");
  }

  /** A name within its box, cut with a mark where there is no room. */
  #fit(name: string, box: Box): void {
    const inset = box.width < 70 ? 4 : 8;
    const fits = (text: string): boolean => this.#context.measureText(text).width <= box.width - 2 * inset;
    let text = name;
    while (text.length > 1 && !fits(text)) text = `${text.slice(0, text.endsWith("…") ? -2 : -1)}…`;
    this.#label(text, box.x + inset, box.y + 13, "--ink");
  }

  #drawWorkers(now: number): void {
    const { workers, downs } = this.#tape;
    const context = this.#context;
    const down = new Set(downs.flatMap(({ worker, from, to }) => (from <= now && now < to ? [worker] : [])));
    for (let worker = 0; worker < workers.count; worker++) {
      if (now < (workers.joined[worker] as number)) continue;
      const box = workerBox(this.#layout, worker);
      const left = (workers.left[worker] as number) <= now;
      const struck = (workers.slashed[worker] as number) <= now || down.has(worker);
      const margin = Math.min(2, box.width * 0.08);
      context.globalAlpha = left ? 0.35 : 1;
      context.fillStyle = this.#colour("--panel");
      context.strokeStyle = this.#colour(
        struck ? "--failed" : workers.native[worker] === 1 ? "--strong-line" : "--line",
      );
      context.lineWidth = struck ? 1.6 : 1;
      context.beginPath();
      context.roundRect(box.x + margin, box.y + margin, box.width - 2 * margin, box.height - 2 * margin, 3);
      context.fill();
      context.stroke();
      if (left) {
        context.beginPath();
        context.moveTo(box.x + margin + 3, box.y + box.height - margin - 3);
        context.lineTo(box.x + box.width - margin - 3, box.y + margin + 3);
        context.stroke();
      }
      this.#drawSlots(worker);
      if (box.width > 52 && box.height > 26) {
        this.#label(`${workers.native[worker] === 1 ? "n" : "b"}${worker}`, box.x + margin + 4, box.y + margin + 8);
      }
    }
    context.globalAlpha = 1;
  }

  /** Rings for what the worker can do at once. */
  #drawSlots(worker: number): void {
    const slots = this.#tape.workers.slots[worker] as number;
    if (this.#tape.workers.count * slots > MOST_RINGS) return;
    const context = this.#context;
    context.lineWidth = 1;
    context.beginPath();
    for (let slot = 0; slot < slots; slot++) {
      const [x, y] = this.#positions.atWorker(worker, slot);
      context.moveTo(x + DOT - 0.5, y);
      context.arc(x, y, DOT - 0.5, 0, 7);
    }
    context.stroke();
  }

  /** Blocks come in on the right and move on. */
  #drawBlocks(now: number): void {
    const { blocks, blockSizes } = this.#tape;
    const { chain } = this.#layout;
    const context = this.#context;
    let [low, high] = [0, blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((blocks[middle] as number) <= now) low = middle + 1;
      else high = middle;
    }
    const size = 18;
    const shown = Math.floor((chain.width - 16) / (size + 5));
    for (let i = 0; i < shown && low - 1 - i >= 0; i++) {
      const full = Math.min(1, Math.log2(1 + (blockSizes[low - 1 - i] as number)) / 7);
      const x = chain.x + chain.width - 12 - size - i * (size + 5);
      const y = chain.y + chain.height / 2 - size / 2;
      context.globalAlpha = Math.max(0.15, 1 - i / shown);
      context.strokeStyle = this.#colour("--strong-line");
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, y + 0.5, size, size);
      context.fillStyle = this.#colour("--c4");
      context.fillRect(x + 1, y + 1 + size * (1 - full), size - 1, size * full - 1);
    }
    context.globalAlpha = 1;
  }

  #drawJobs(now: number, travel: number, followed: number): void {
    const { jobs } = this.#tape;
    for (const tone of TONES) this.counts[tone] = 0;
    this.#held.fill(0);
    let [waiting, queued] = [0, 0];
    const context = this.#context;
    for (let job = 0; job < jobs.count; job++) {
      const created = jobs.created[job] as number;
      // Jobs stand in the order of their arrival.
      if (created > now) break;
      const ended = jobs.ended[job] as number;
      if (ended <= now) {
        const tone =
          jobs.how[job] === ENDED.settled ? "settled" : jobs.how[job] === ENDED.failed ? "failed" : "refunded";
        this.counts[tone]++;
        if (now - ended > travel * 1.6) continue;
        this.#leaving(job, tone, (now - ended) / (travel * 1.6), followed);
        continue;
      }
      let [tone, since, until, x, y, fromX, fromY] = [
        "waiting" as Tone,
        created,
        jobs.locked[job] as number,
        0,
        0,
        0,
        0,
      ];
      const worker = jobs.worker[job] as number;
      if ((jobs.lastToken[job] as number) <= now || (jobs.settling[job] as number) <= now) {
        tone = "settling";
        since = Math.min(jobs.lastToken[job] as number, jobs.settling[job] as number);
        until = ended;
        [fromX, fromY] = this.#positions.atWorker(worker, 0);
        [x, y] = this.#positions.atChain(job);
      } else if ((jobs.taken[job] as number) <= now && worker >= 0) {
        tone = "serving";
        since = jobs.taken[job] as number;
        until = Math.min(jobs.lastToken[job] as number, ended);
        [fromX, fromY] = this.#positions.atGateway(0);
        const held = this.#held[worker] ?? 0;
        this.#held[worker] = held + 1;
        [x, y] = this.#positions.atWorker(worker, held);
      } else if ((jobs.locked[job] as number) <= now) {
        tone = "queued";
        [x, y] = this.#positions.atGateway(queued++);
        since = jobs.locked[job] as number;
        [fromX, fromY] = [x, y - 14];
      } else {
        [x, y] = this.#positions.atLock(waiting++);
        [fromX, fromY] = this.#positions.atClient(job);
      }
      this.counts[tone]++;
      // Whoever stays but shortly walks faster, so that it is seen where it was.
      const way = ease((now - since) / Math.min(travel, Math.max(1, (until - since) * 0.35)));
      this.#dot(job, fromX + (x - fromX) * way, fromY + (y - fromY) * way, tone, followed);
    }
    context.globalAlpha = 1;
    const { gateway } = this.#layout;
    const narrow = gateway.width < 90;
    this.#label(narrow ? `${waiting} wait` : `${waiting} for the lock`, gateway.x + 7, gateway.y + 11);
    const lower = gateway.y + gateway.height * 0.3 + 11;
    this.#label(narrow ? `${queued} queue` : `${queued} in the queue`, gateway.x + 7, lower);
  }

  /** Settled ones fade on the chain, the others go back to their client. */
  #leaving(job: number, tone: Tone, way: number, followed: number): void {
    const { jobs } = this.#tape;
    const context = this.#context;
    const worker = jobs.worker[job] as number;
    context.globalAlpha = 1 - way * way;
    if (tone === "settled") {
      const [x, y] = this.#positions.atChain(job);
      if (worker >= 0 && way < 0.5) {
        const [toX, toY] = this.#positions.atWorker(worker, 0);
        context.strokeStyle = this.#colour(PROPERTIES.settled);
        context.globalAlpha = 0.3 * (1 - 2 * way);
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(toX, toY);
        context.stroke();
        context.globalAlpha = 1 - way * way;
      }
      this.#dot(job, x, y, tone, followed);
    } else {
      const [fromX, fromY] = worker >= 0 ? this.#positions.atWorker(worker, 0) : this.#positions.atGateway(0);
      const [x, y] = this.#positions.atClient(job);
      const gone = ease(way * 1.4);
      this.#dot(job, fromX + (x - fromX) * gone, fromY + (y - fromY) * gone, tone, followed);
    }
    context.globalAlpha = 1;
  }

  #dot(job: number, x: number, y: number, tone: Tone, followed: number): void {
    const context = this.#context;
    this.#placed.push({ job, x, y });
    context.fillStyle = this.#colour(PROPERTIES[tone]);
    context.beginPath();
    context.arc(x, y, DOT, 0, 7);
    context.fill();
    if (job !== followed) return;
    context.globalAlpha = 1;
    context.strokeStyle = this.#colour("--ink");
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 8, 0, 7);
    context.stroke();
    this.#label(`job ${this.#tape.jobs.number[job]}`, x + 12, y, "--ink");
  }
}
