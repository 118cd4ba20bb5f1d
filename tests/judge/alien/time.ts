/** The alien's time: it stands still until it is advanced, or it flows and can be made to jump. Things fall due in order. */

interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export interface Timer {
  cancel(): void;
}

export interface Time {
  readonly kind: "manual" | "offset" | "wall";
  now(): number;
  after(milliseconds: number, run: () => void): Timer;
  /** Moves on, letting everything fall due on the way; `quiet` waits for what is on the network. */
  advance(milliseconds: number, quiet: () => Promise<void>): Promise<number>;
  close(): void;
}

/** 1 March 2027, noon: the manual clock's beginning. */
const NOON = Date.UTC(2027, 2, 1, 12, 0, 0, 250);

export function makeTime(kind: Time["kind"]): Time {
  const due = new Set<Due>();
  let order = 0;
  let manual = NOON;
  let offset = 0;
  let alarm: NodeJS.Timeout | undefined;
  const now = (): number => (kind === "manual" ? manual : Date.now() + offset);
  const first = (): Due | undefined => [...due].sort((a, b) => a.at - b.at || a.order - b.order)[0];
  const runDue = (): void => {
    for (let next = first(); next !== undefined && next.at <= now(); next = first()) {
      due.delete(next);
      next.run();
    }
    rearm();
  };
  const rearm = (): void => {
    if (kind === "manual") return;
    clearTimeout(alarm);
    const next = first();
    if (next !== undefined) alarm = setTimeout(runDue, Math.min(2 ** 30, Math.max(0, next.at - now())));
  };
  return {
    kind,
    now,
    after(milliseconds, run) {
      const entry: Due = { at: now() + milliseconds, order: order++, run };
      due.add(entry);
      rearm();
      return {
        cancel: () => {
          due.delete(entry);
          rearm();
        },
      };
    },
    async advance(milliseconds, quiet) {
      const target = now() + milliseconds;
      for (let next = first(); next !== undefined && next.at <= target; next = first()) {
        if (kind === "manual") manual = Math.max(manual, next.at);
        else offset += Math.max(0, next.at - now());
        runDue();
        await quiet();
      }
      if (kind === "manual") manual = target;
      else offset += Math.max(0, target - now());
      runDue();
      return now();
    },
    close: () => clearTimeout(alarm),
  };
}
