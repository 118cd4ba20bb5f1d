/**
 * The folder of a study: one file a task, named by point and replication, so that a study that was killed goes on from what is there, and two parts
 * of a study are merged by putting their files together.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AssayError, canonicalJson } from "../../sim/core/index.ts";
import type { Engine, Outcome, Study, Task } from "../../sim/study/index.ts";
import { sameEngine, tellEngine } from "./engine.ts";
import { type Disk, disk, makeFolder, sweepUnfinished, writeWhole } from "./files.ts";

/** What a folder says of itself before anything is in it. */
export interface Identity {
  readonly format: 1;
  readonly name: string;
  /** Hash of the study. */
  readonly study: string;
  readonly engine: Engine;
}

const IDENTITY = "study.json";
const RUNS = "runs";

export class Store {
  readonly folder: string;
  readonly #disk: Disk;
  /** By key of the task. */
  readonly outcomes = new Map<string, Outcome>();

  /** @throws AssayError where the folder holds another study, or one that another version has begun */
  constructor(folder: string, identity: Identity, to: Disk = disk) {
    this.folder = folder;
    this.#disk = to;
    const there = readIdentity(folder);
    if (there === undefined) {
      if (existsSync(folder) && readdirSync(folder).length > 0) throw notEmpty(folder);
      makeFolder(join(folder, RUNS));
      writeWhole(join(folder, IDENTITY), `${canonicalJson(identity)}\n`, to);
    } else checkIdentity(there, identity, folder);
    makeFolder(join(folder, RUNS));
    sweepUnfinished(folder);
    sweepUnfinished(join(folder, RUNS));
    rmSync(join(folder, FAILED), { recursive: true, force: true });
    for (const outcome of readOutcomes(folder)) {
      if (outcome.study === identity.study && sameEngine(outcome.engine, identity.engine)) {
        this.outcomes.set(outcome.key, outcome);
      }
    }
  }

  /** Keeps the outcome of a task. @throws AssayError where it cannot be written, or is not of this task and engine */
  keep(task: Task, text: string): void {
    const outcome = JSON.parse(text) as Outcome;
    if (outcome.key !== task.key || !sameEngine(outcome.engine, task.engine)) {
      throw new AssayError({
        what: "A result is not of the task that was asked for.",
        where: task.key,
        seen: `${outcome.key}, ${tellEngine(outcome.engine)}`,
        expected: `${task.key}, ${tellEngine(task.engine)}`,
      });
    }
    this.put(outcome);
  }

  /** Keeps an outcome that was made elsewhere. @throws AssayError where it cannot be written */
  put(outcome: Outcome): void {
    writeWhole(join(this.folder, RUNS, fileOf(outcome)), `${canonicalJson(outcome)}\n`, this.#disk);
    this.outcomes.set(outcome.key, outcome);
  }

  /** Writes the scenario of a point that failed, so that it can be run alone. Returns its file. */
  keepFailed(task: Task): string {
    const file = join(this.folder, FAILED, `point-${task.point}.yaml`);
    makeFolder(join(this.folder, FAILED));
    writeWhole(file, `${JSON.stringify(task.scenario, null, 2)}\n`, this.#disk);
    return file;
  }

  /** A file of the whole study, such as a table. */
  write(name: string, data: string | Uint8Array): void {
    writeWhole(join(this.folder, name), data, this.#disk);
  }
}

const FAILED = "failed";

export function identityOf(study: Study, engine: Engine): Identity {
  return { format: 1, name: study.name, study: study.hash, engine };
}

/** `p00012-r0003.json` */
function fileOf({ point, replication, kind }: Outcome): string {
  const place = `p${String(point).padStart(5, "0")}`;
  return kind === "pilot" ? `${place}-pilot.json` : `${place}-r${String(replication).padStart(4, "0")}.json`;
}

/** @returns undefined where the folder holds no study */
export function readIdentity(folder: string): Identity | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, IDENTITY), "utf8")) as Identity;
  } catch {
    return undefined;
  }
}

/** All that is there whole, in order of file name. A file that cannot be read is as good as not there: its task is done again. */
export function readOutcomes(folder: string): readonly Outcome[] {
  const runs = join(folder, RUNS);
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .filter((name) => /^p\d+-(pilot|r\d+)\.json$/.test(name))
    .sort()
    .flatMap((name) => {
      try {
        const outcome = JSON.parse(readFileSync(join(runs, name), "utf8")) as Outcome;
        return typeof outcome.key === "string" && fileOf(outcome) === name ? [outcome] : [];
      } catch {
        return [];
      }
    });
}

/** @throws AssayError where two parts are not of one study and one version */
export function checkIdentity(there: Identity, here: Identity, folder: string): void {
  if (there.study !== here.study) {
    throw new AssayError({
      what: "The folder holds the results of another study.",
      where: folder,
      seen: `${there.name}, hash ${there.study}`,
      expected: `${here.name}, hash ${here.study}`,
      hint: "give another folder with --out; a study whose factors, scenario, seed or warm-up change is another study",
    });
  }
  if (!sameEngine(there.engine, here.engine)) {
    throw new AssayError({
      what: "The folder holds results that another version of assay has made.",
      where: folder,
      seen: tellEngine(there.engine),
      expected: tellEngine(here.engine),
      hint: "go on with that version, or give another folder with --out; rows of two versions are not mixed",
    });
  }
}

function notEmpty(folder: string): AssayError {
  return new AssayError({
    what: "The folder for the results holds something else.",
    where: folder,
    seen: readdirSync(folder).slice(0, 5).join(", "),
    expected: "a folder that is empty, not there yet, or holds this very study",
    hint: "give another folder with --out",
  });
}
