/** The whole tape at a glance, above the slider: how many jobs ended and how, where faults struck, and where the moment is. */
import { ENDED, type Tape } from "../../motion/tape.ts";
import type { Dial } from "./dial.ts";

export class Strip {
  readonly #tape: Tape;
  readonly #dial: Dial;
  readonly #canvas: HTMLCanvasElement;
  /** Drawn once a size and theme, then only copied. */
  #picture: HTMLCanvasElement | null = null;

  constructor(tape: Tape, dial: Dial, canvas: HTMLCanvasElement) {
    this.#tape = tape;
    this.#dial = dial;
    this.#canvas = canvas;
  }

  resize(): void {
    const ratio = Math.min(3, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    this.#canvas.width = Math.max(1, Math.round(width * ratio));
    this.#canvas.height = Math.max(1, Math.round(height * ratio));
    const picture = document.createElement("canvas");
    picture.width = this.#canvas.width;
    picture.height = this.#canvas.height;
    const context = picture.getContext("2d");
    if (context === null) return;
    context.scale(ratio, ratio);
    this.#paint(context, width, height);
    this.#picture = picture;
  }

  #paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { jobs, faults, data } = this.#tape;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const place = (time: number): number => this.#dial.placeOf(time);
    const bars = Math.max(1, Math.floor(width / 3));
    const counts = [new Float64Array(bars), new Float64Array(bars), new Float64Array(bars)];
    for (let job = 0; job < jobs.count; job++) {
      const how = jobs.how[job] as number;
      if (how === ENDED.none) continue;
      const bar = Math.min(bars - 1, Math.floor(place(jobs.ended[job] as number) * bars));
      const column = counts[how - 1];
      if (column !== undefined && bar >= 0) column[bar] = (column[bar] as number) + 1;
    }
    let most = 1;
    for (let bar = 0; bar < bars; bar++)
      most = Math.max(
        most,
        counts.reduce((sum, column) => sum + (column[bar] as number), 0),
      );
    const tones = ["--c1", "--failed", "--c2"].map(colour);
    for (let bar = 0; bar < bars; bar++) {
      let y = height;
      counts.forEach((column, how) => {
        const tall = ((column[bar] as number) / most) * (height - 8);
        context.fillStyle = tones[how] ?? "";
        context.globalAlpha = 0.75;
        context.fillRect((bar * width) / bars, y - tall, width / bars - 0.6, tall);
        y -= tall;
      });
    }
    context.globalAlpha = 0.2;
    context.fillStyle = colour("--failed");
    for (const { from, to } of faults) {
      const x = place(Math.max(from, data.from)) * width;
      const end = place(Math.min(to, data.to)) * width;
      context.fillRect(x, 0, Math.max(2, end - x), height);
    }
    context.globalAlpha = 1;
    // Where time is cut short.
    context.strokeStyle = colour("--strong-line");
    context.setLineDash([2, 3]);
    for (const { from, to } of this.#dial.gaps) {
      context.beginPath();
      context.moveTo(place(from) * width, height / 2);
      context.lineTo(place(to) * width, height / 2);
      context.stroke();
    }
    context.setLineDash([]);
  }

  draw(now: number): void {
    const context = this.#canvas.getContext("2d");
    if (context === null || this.#picture === null) return;
    const { width, height } = this.#canvas;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#picture, 0, 0);
    const x = this.#dial.placeOf(now) * width;
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    context.fillRect(Math.min(width - 2, Math.max(0, x - 1)), 0, 2, height);
  }
}
