/** The commands of `assay`, in the order in which `--help` shows them. */
import type { Command } from "../command.ts";
import { calibrateCommand } from "./calibrate.ts";
import { compareCommand } from "./compare.ts";
import { conformCommand } from "./conform.ts";
import { defectsCommand } from "./defects.ts";
import { demoCommand } from "./demo.ts";
import { diffCommand } from "./diff.ts";
import { doctorCommand } from "./doctor.ts";
import { findCommand } from "./find.ts";
import { fuzzCommand } from "./fuzz.ts";
import { initCommand } from "./init.ts";
import { mergeCommand } from "./merge.ts";
import { replayCommand } from "./replay.ts";
import { requirementsCommand } from "./requirements.ts";
import { runCommandModule } from "./run.ts";
import { schemaCommand } from "./schema.ts";
import { scoreCommand } from "./score.ts";
import { serveCommand } from "./serve.ts";
import { sweepCommand } from "./sweep.ts";
import { verifyCommand } from "./verify.ts";
import { workerCommand } from "./worker.ts";

export const commands: readonly Command[] = [
  demoCommand,
  conformCommand,
  serveCommand,
  runCommandModule,
  replayCommand,
  fuzzCommand,
  verifyCommand,
  diffCommand,
  sweepCommand,
  findCommand,
  calibrateCommand,
  workerCommand,
  mergeCommand,
  compareCommand,
  requirementsCommand,
  defectsCommand,
  scoreCommand,
  initCommand,
  doctorCommand,
  schemaCommand,
];
