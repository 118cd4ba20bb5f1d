/** Where a dot stands, by what its job does. */
import type { Tape } from "../../motion/tape.ts";
import { type Box, type Layout, workerBox } from "./layout.ts";

export class Positions {
  readonly tape: Tape;
  readonly layout: Layout;

  constructor(tape: Tape, layout: Layout) {
    this.tape = tape;
    this.layout = layout;
  }

  atClient(job: number): readonly [number, number] {
    const { jobs, populationOf } = this.tape;
    const wallet = jobs.wallet[job] as number;
    const box = this.layout.clients[populationOf[wallet] ?? 0] ?? (this.layout.clients[0] as Box);
    const row = ((wallet * 0.618034) % 1) * Math.max(1, box.height - 34);
    return [box.x + box.width * (0.25 + 0.6 * ((wallet * 0.414214) % 1)), box.y + 26 + row];
  }

  /** Jobs whose lock is not sealed yet: the upper part of the gateway. */
  atLock(place: number): readonly [number, number] {
    return grid(this.layout.gateway, place, 20, 0.3);
  }

  /** Jobs that wait for a worker: the rest of it. */
  atGateway(place: number): readonly [number, number] {
    const { gateway } = this.layout;
    const upper = gateway.height * 0.3;
    return grid({ ...gateway, y: gateway.y + upper, height: gateway.height - upper }, place, 20, 1);
  }

  atWorker(worker: number, place: number): readonly [number, number] {
    const box = workerBox(this.layout, worker);
    const title = box.width > 52 && box.height > 26 ? 13 : 0;
    const columns = Math.max(1, Math.floor((box.width - 8) / 8));
    const rows = Math.max(1, Math.floor((box.height - title - 6) / 8));
    const at = Math.min(place, columns * rows - 1);
    const wide = columns === 1 ? box.width / 2 : 8;
    return [
      box.x + (columns === 1 ? 0 : 4) + wide / (columns === 1 ? 1 : 2) + (at % columns) * 8,
      box.y + title + 8 + Math.floor(at / columns) * 8,
    ];
  }

  atChain(job: number): readonly [number, number] {
    const { chain } = this.layout;
    return [chain.x + chain.width - 30 - ((job * 0.618034) % 1) * chain.width * 0.3, chain.y + 9];
  }
}

/** The places of a box in rows, from its upper left; what does not fit stands in the last. */
function grid(box: Box, place: number, top: number, share: number): readonly [number, number] {
  const step = 9;
  const columns = Math.max(1, Math.floor((box.width - 12) / step));
  const rows = Math.max(1, Math.floor((box.height * share - top - 6) / step));
  const at = Math.min(place, columns * rows - 1);
  return [box.x + 10 + (at % columns) * step, box.y + top + 4 + Math.floor(at / columns) * step];
}

export const ease = (way: number): number => {
  const at = Math.max(0, Math.min(1, way));
  return at * at * (3 - 2 * at);
};
