/** The planted defects of the simulator, by which `assay fuzz` and the checkers are shown to find what they look for. */
import { chain } from "./chain.ts";
import type { PlantedDefect } from "./defect.ts";
import { promises } from "./promises.ts";
import { wiring } from "./wiring.ts";

export { type PlantedDefect, withDefect } from "./defect.ts";

export const plantedDefects: readonly PlantedDefect[] = [...promises, ...wiring, ...chain];

export function findPlanted(id: string): PlantedDefect | undefined {
  return plantedDefects.find((defect) => defect.id === id);
}
