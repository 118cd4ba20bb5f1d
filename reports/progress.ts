/**
 * How far something has come, the same for every command: a line that is rewritten on a terminal, and elsewhere a plain line every ten seconds.
 *
 *     [########            ] 120/300 cases  14.2/s  13 s left  4.7/window
 */
import type { Palette } from "./palette.ts";
import { cut } from "./plain-table.ts";

export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface ProgressOptions {
  /** What is counted, in the plural: `cases`. */
  readonly unit: string;
  /** How many there are, where it is known. */
  readonly total?: number | undefined;
  readonly colours: Palette;
  /** Milliseconds of some clock that only goes forward; the machine's unless told. */
  readonly now?: () => number;
}

export interface ProgressLine {
  /** So many are done. `note` is what is at hand, in a few words. */
  tell(done: number, note?: string): void;
  /** Prints lines that stay, and the progress beneath them. `text` ends with a newline. */
  above(text: string): void;
  /** Clears the line. */
  end(): void;
}

/** Milliseconds between two lines without a terminal, and two rewritings on one. */
const PLAIN_EVERY = 10_000;
const LIVE_EVERY = 100;
const BAR = 20;

/** Begins to count time. Nothing is written before the first `tell`. */
export function progressLine(stream: ProgressStream, options: ProgressOptions): ProgressLine {
  const { unit, total, colours, now = () => performance.now() } = options;
  const live = stream.isTTY === true;
  const started = now();
  let told = live ? Number.NEGATIVE_INFINITY : started;
  let shown = "";

  const draw = (text: string): void => {
    shown = text;
    stream.write(`\r${text}\u001b[K`);
  };
  return {
    tell(done, note = "") {
      const at = now();
      const last = done === total;
      if (at - told < (live ? LIVE_EVERY : PLAIN_EVERY) && !(live && last)) return;
      told = at;
      const seconds = (at - started) / 1_000;
      const bar = total === undefined || !live ? "" : `${barOf(done, total, colours)} `;
      const count = `${whole(done)}${total === undefined ? "" : `/${whole(total)}`} ${unit}`;
      const parts = [`${bar}${count}`, ...paceOf(done, total, seconds), ...(note === "" ? [] : [colours.quiet(note)])];
      const text = parts.join("  ");
      if (live) draw(cut(text, (stream.columns ?? 80) - 1));
      else stream.write(`${text}\n`);
    },
    above(text) {
      if (!live) stream.write(text);
      else {
        stream.write(`\r\u001b[K${text}`);
        if (shown !== "") draw(shown);
      }
    },
    end() {
      if (live && shown !== "") stream.write("\r\u001b[K");
      shown = "";
    },
  };
}

function barOf(done: number, total: number, colours: Palette): string {
  const full = total === 0 ? BAR : Math.min(BAR, Math.floor((done / total) * BAR));
  return `[${colours.good("#".repeat(full))}${" ".repeat(BAR - full)}]`;
}

/** The rate, and the time left at that rate; neither before a second has passed, when both would be guesses. */
function paceOf(done: number, total: number | undefined, seconds: number): string[] {
  if (seconds < 1 || done === 0) return [];
  const rate = done / seconds;
  const left = total === undefined || done >= total ? [] : [`${timeText((total - done) / rate)} left`];
  return [`${rate >= 100 ? whole(Math.round(rate)) : rate.toFixed(1)}/s`, ...left];
}

/** `45 s`, `3 min 20 s`, `2 h 5 min` */
export function timeText(seconds: number): string {
  const all = Math.max(1, Math.round(seconds));
  if (all < 60) return `${all} s`;
  if (all < 3_600) return `${Math.floor(all / 60)} min ${all % 60} s`;
  return `${Math.floor(all / 3_600)} h ${Math.floor((all % 3_600) / 60)} min`;
}

/** `172,921` */
function whole(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
