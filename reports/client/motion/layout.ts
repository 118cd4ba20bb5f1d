/** Where things stand on the stage: clients on the left, the gateway, workers on the right, the chain beneath. */
import type { Tape } from "../../motion/tape.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** One a population. */
  readonly clients: readonly Box[];
  readonly gateway: Box;
  readonly workers: Box;
  readonly cell: { readonly width: number; readonly height: number; readonly columns: number };
  readonly chain: Box;
}

export function layoutOf(tape: Tape, width: number, height: number): Layout {
  const edge = Math.max(8, width * 0.015);
  const chainHeight = 54;
  const top = 26;
  const middle = height - chainHeight - top - 44;
  const column = (from: number, to: number): Box => ({
    x: edge + (width - 2 * edge) * from,
    y: top,
    width: (width - 2 * edge) * (to - from),
    height: middle,
  });
  const clients = column(0, 0.15);
  const populations = Math.max(1, tape.data.names.populations.length);
  const each = (clients.height + 10) / populations - 10;
  const workers = column(0.5, 1);
  return {
    width,
    height,
    clients: Array.from({ length: populations }, (_, index) => ({
      ...clients,
      y: clients.y + index * (each + 10),
      height: each,
    })),
    gateway: column(0.24, 0.41),
    workers,
    cell: cellOf(workers, Math.max(1, tape.workers.count)),
    chain: { x: edge, y: height - chainHeight - 6, width: width - 2 * edge, height: chainHeight },
  };
}

/** Cells as square as they can be. */
function cellOf({ width, height }: Box, count: number): Layout["cell"] {
  const columns = Math.max(1, Math.ceil(Math.sqrt((count * width) / Math.max(1, height) / 1.5)));
  const rows = Math.ceil(count / columns);
  return { width: width / columns, height: Math.min(72, height / rows), columns };
}

export function workerBox({ workers, cell }: Layout, worker: number): Box {
  return {
    x: workers.x + (worker % cell.columns) * cell.width,
    y: workers.y + Math.floor(worker / cell.columns) * cell.height,
    width: cell.width,
    height: cell.height,
  };
}
