/** The commands of `assay`, in the order in which `--help` shows them. */
import type { Command } from "../command.ts";
import { compareCommand } from "./compare.ts";
import { defectsCommand } from "./defects.ts";
import { serveCommand } from "./serve.ts";

export const commands: readonly Command[] = [serveCommand, compareCommand, defectsCommand];
