/** The commands of `assay`, in the order in which `--help` shows them. */
import type { Command } from "../command.ts";
import { compareCommand } from "./compare.ts";
import { conformCommand } from "./conform.ts";
import { defectsCommand } from "./defects.ts";
import { demoCommand } from "./demo.ts";
import { requirementsCommand } from "./requirements.ts";
import { runCommandModule } from "./run.ts";
import { scoreCommand } from "./score.ts";
import { serveCommand } from "./serve.ts";

export const commands: readonly Command[] = [
  demoCommand,
  conformCommand,
  serveCommand,
  runCommandModule,
  compareCommand,
  requirementsCommand,
  defectsCommand,
  scoreCommand,
];
