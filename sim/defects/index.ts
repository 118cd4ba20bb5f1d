/** The planted defects: every known way in which the simulated service can be made wrong. */
import type { Defect } from "./defect.ts";

export type { Defect, Reach } from "./defect.ts";

export const defects: readonly Defect[] = [];

/** The defect of that id. */
export function findDefect(id: string): Defect | undefined {
  return defects.find((defect) => defect.id === id);
}
