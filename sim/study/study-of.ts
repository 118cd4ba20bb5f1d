/** Studies of one point: a scenario as it is, or with one value changed. */
import { resolve } from "node:path";
import { buildScenario, loadScenario } from "../scenario/index.ts";
import { pathSteps, put } from "./factors.ts";
import { CONFIDENCE } from "./interval.ts";
import {
  checkPoint,
  digest,
  REPLICATIONS,
  SHOWN,
  type Study,
  type StudyOptions,
  scenarioHash,
  tracesOf,
} from "./study.ts";

interface OneOptions extends StudyOptions {
  readonly seed?: string | undefined;
  readonly warmUp: Study["warmUp"];
}

/** A scenario as it is. @throws AssayError where it is wrong, with the place in its file */
export function studyOf(file: string, options: OneOptions): Study {
  const loaded = loadScenario(file);
  buildScenario(loaded, { trace: options.trace });
  return onePoint(file, loaded.source.data as object, {}, options);
}

/** A scenario with a value put at a path. @throws AssayError where that makes no world that can be run */
export function studyAt(
  file: string,
  change: { readonly path: string; readonly value: number },
  options: OneOptions,
): Study {
  const { path, value } = change;
  const data = structuredClone(loadScenario(file).source.data) as object;
  put(data, pathSteps(path, "--path"), value, "--path");
  checkPoint(data, resolve(file), options.trace, `${file} with ${path} = ${value}`);
  return onePoint(file, data, { [path]: value }, options);
}

function onePoint(file: string, data: object, factors: Readonly<Record<string, unknown>>, options: OneOptions): Study {
  const { name, seed } = data as { readonly name?: string; readonly seed?: string | number };
  const base = resolve(file);
  const traces = tracesOf([data], base, options.trace);
  const hash = scenarioHash(data, Object.values(traces));
  const study = { seed: options.seed ?? String(seed ?? 1), commonRandomNumbers: true, warmUp: options.warmUp };
  return {
    ...study,
    name: name ?? file,
    replications: options.replications ?? REPLICATIONS,
    confidence: CONFIDENCE,
    factors: [],
    points: [{ index: 0, factors, scenario: data, hash }],
    metrics: SHOWN,
    compare: undefined,
    base,
    trace: options.trace === undefined ? undefined : resolve(options.trace),
    traces,
    hash: digest({ ...study, points: [hash] }),
  };
}
