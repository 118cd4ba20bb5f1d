/** Studies on this machine: whatever interrupts them, their folder ends with the same bytes; and their tables open elsewhere. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeCommand } from "../../bin/commands/merge.ts";
import { type Disk, disk } from "../../bin/study/files.ts";
import { inline, type Runner, threads } from "../../bin/study/runner.ts";
import { type SweepOptions, sweep } from "../../bin/study/sweep.ts";
import { parseStudy, type Study } from "../../sim/study/index.ts";

const scratch = mkdtempSync(join(tmpdir(), "assay-sweep-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const STUDY = `name: "small, but whole"
scenario:
  duration: 10min
  models: [{ id: a, tier: lite }]
  workers: [{ kind: browser, count: 2, service: "exponential(mean=10s)" }]
  clients: [{ name: all, units: 1000000, arrivals: { process: poisson, rate: 0.1 } }]
replications: 4
factors:
  - { name: load, unit: 1/s, path: "clients[0].arrivals.rate", values: [0.05, 0.15] }
  - { name: slots, path: "workers[*].slots", values: [1, 2] }
metrics: [sojourn.mean]
compare: { factor: slots, metric: sojourn.mean }
`;
const study = (): Study => parseStudy(STUDY, "small.yaml");
const whole = join(scratch, "whole");

async function run(
  out: string,
  changes: Partial<SweepOptions> = {},
  one = study(),
): Promise<{ code: number; text: string }> {
  let text = "";
  const sink = {
    write: (more: string) => {
      text += more;
    },
  };
  const options = { out, runner: inline, quiet: true, json: false, ...changes };
  const code = await sweep(one, options, { out: sink, err: sink, env: {} });
  return { code, text };
}

function bytesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length), readFileSync(file, "latin1")]),
  );
}

/** Does so many tasks, then calls `then`. */
function after(count: number, then: () => void): Runner {
  let left = count;
  return {
    ...inline,
    run: (tasks, ended, signal) =>
      inline.run(
        tasks,
        (task, ending) => {
          ended(task, ending);
          if (--left === 0) then();
        },
        signal,
      ),
  };
}

let printed = "";
beforeAll(async () => {
  const { code, text } = await run(whole);
  expect(code).toBe(0);
  printed = text;
});

describe("a study on this machine", () => {
  it("prints each figure with its interval, and a ranking", () => {
    expect(printed.replace(scratch, "")).toMatchInlineSnapshot(`
      "small, but whole  4 points, 4 replications each
      mean ± half-width at 95 % confidence (Student)

      point  load  slots  sojourn.mean [s]  warm-up
      0      0.05  1      9.9 ± 2.0         0 jobs
      1      0.05  2      10.1 ± 2.8        0 jobs
      2      0.15  1      19 ± 13           35 jobs
      3      0.15  2      10.2 ± 2.8        0 jobs

      slots by sojourn.mean [s], lower is better; all comparisons together hold with 95 % confidence
         slots  sojourn.mean  behind the best
      1  2      10.1 ± 2.7    the best         not distinguishable from 1
      2  1      14.6 ± 7.0    + 4.4 ± 5.3      not distinguishable from 2

      /whole: results.csv, results.parquet, points.csv, points.parquet, dictionary.csv, manifest.json
      "
    `);
  });

  it("gives the same bytes on a thread of its own", async () => {
    const runner = threads(1);
    await run(join(scratch, "threads"), { runner });
    await runner.close();
    expect(bytesOf(join(scratch, "threads"))).toEqual(bytesOf(whole));
  });

  it.each([1, 6, 15])("interrupted after %d tasks, it goes on and ends with the same bytes", async (count) => {
    const out = join(scratch, `interrupted-${count}`);
    const stop = new AbortController();
    const { code, text } = await run(out, { runner: after(count, () => stop.abort()), signal: stop.signal });
    expect(code).toBe(130);
    expect(text).toMatch(/^stopped: \d+ of 16 replications are done and kept in .*; the same command goes on\n$/);
    // As a kill in the middle of a write would leave it: a file begun beside, and one that was cut off.
    writeFileSync(join(out, "runs", ".unfinished-1-p00001-r0000.json"), '{"half');
    const [some] = readdirSync(join(out, "runs")).filter((name) => name.startsWith("p"));
    writeFileSync(join(out, "runs", some!), readFileSync(join(out, "runs", some!), "utf8").slice(0, 90));
    expect((await run(out)).code).toBe(0);
    expect(bytesOf(out)).toEqual(bytesOf(whole));
  });

  it("on a disk that is full it says so, leaves nothing half-written, and goes on when there is room", async () => {
    const out = join(scratch, "full");
    let room = 9;
    const full: Disk = {
      write(file, data) {
        if (room-- > 0) return disk.write(file, data);
        disk.write(file, data.slice(0, 10));
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      },
    };
    await expect(run(out, { disk: full })).rejects.toThrow(
      /A result cannot be written\.[\s\S]*ENOSPC: the disk is full[\s\S]*the same command goes on from there/,
    );
    const left = Object.entries(bytesOf(out));
    expect(left).toHaveLength(9);
    for (const [, text] of left) expect(() => JSON.parse(text)).not.toThrow();
    await run(out);
    expect(bytesOf(out)).toEqual(bytesOf(whole));
  });

  it("takes no folder of another study, of another version, or of something else", async () => {
    const out = join(scratch, "other");
    cpSync(whole, out, { recursive: true });
    const other = parseStudy(`${STUDY}seed: 2\n`, "small.yaml");
    await expect(run(out, {}, other)).rejects.toThrow("The folder holds the results of another study.");
    const file = join(out, "study.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(/"fingerprint":"./, '"fingerprint":"x'));
    await expect(run(out)).rejects.toThrow("The folder holds results that another version of assay has made.");
    const full = join(scratch, "something");
    cpSync(join(whole, "runs"), full, { recursive: true });
    await expect(run(full)).rejects.toThrow("The folder for the results holds something else.");
  });

  it("goes on with more replications, and does none of them twice", async () => {
    const out = join(scratch, "more");
    cpSync(whole, out, { recursive: true });
    let done = 0;
    const counting: Runner = {
      ...inline,
      run: (tasks, ended, signal) => {
        done += tasks.length;
        return inline.run(tasks, ended, signal);
      },
    };
    await run(out, { runner: counting }, { ...study(), replications: 5 });
    expect(done).toBe(4);
  });
});

describe("a study in parts", () => {
  const file = join(scratch, "small.yaml");
  const merge = (out: string, ...parts: string[]): Promise<void> => {
    writeFileSync(file, STUDY);
    return Promise.resolve(mergeCommand.handler({ study: file, parts, out, json: true }));
  };
  const part = (index: number): string => join(scratch, `part-${index}`);

  it("merges to the same bytes as the whole; a part too few, or one that differs, is told", async () => {
    for (const index of [1, 2, 3]) await run(part(index), { shard: { index, count: 3 } });
    const written = process.stdout.write.bind(process.stdout);
    process.stdout.write = () => true;
    try {
      await merge(join(scratch, "merged"), part(1), part(2), part(3));
    } finally {
      process.stdout.write = written;
    }
    process.exitCode = undefined;
    expect(bytesOf(join(scratch, "merged"))).toEqual(bytesOf(whole));
    await expect(merge(join(scratch, "lacking"), part(1), part(3))).rejects.toThrow(
      /The parts do not make a whole\.[\s\S]*4 replications are missing, the first of them 0 of point 1/,
    );
    cpSync(part(1), part(4), { recursive: true });
    const [run0] = readdirSync(join(part(4), "runs")).filter((name) => name.includes("-r"));
    const place = join(part(4), "runs", run0!);
    writeFileSync(place, readFileSync(place, "utf8").replace('"jobs":', '"jobs":1'));
    await expect(merge(join(scratch, "torn"), part(1), part(2), part(3), part(4))).rejects.toThrow(
      "Two parts have different results of one run.",
    );
  });
});

describe("the tables of a study", () => {
  it("open in DuckDB, CSV and Parquet alike, and every column is in the dictionary with its unit", async () => {
    const connection = await (await DuckDBInstance.create()).connect();
    const rows = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRowsJson();
    const [csv, parquet] = ["results.csv", "results.parquet"].map((name) => `'${join(whole, name)}'`);
    expect(await rows(`select count(*), count(distinct point), count(distinct trace_hash) from ${parquet}`)).toEqual([
      ["16", "4", "16"],
    ]);
    expect(await rows(`(select * from ${csv} except select * from ${parquet})`)).toEqual([]);
    const [[mean]] = (await rows(`select avg(sojourn_mean) from ${parquet} where load = 0.15 and slots = 1`)) as [
      [number],
    ];
    const [[told]] = (await rows(
      `select mean from '${join(whole, "points.parquet")}' where load = 0.15 and slots = 1 and metric = 'sojourn_mean'`,
    )) as [[number]];
    expect(told).toBeCloseTo(mean, 8);
    const columns = await rows(`select column_name from (describe select * from ${parquet})`);
    const explained = await rows(
      `select "column" from '${join(whole, "dictionary.csv")}' where "table" = 'results' and length(what) > 0`,
    );
    expect(explained).toEqual(columns);
    expect(await rows(`select unit from '${join(whole, "dictionary.csv")}' where "column" = 'load'`)).toContainEqual([
      "1/s",
    ]);
    // One seed for a replication at all points: common random numbers.
    expect(await rows(`select count(distinct seed) from ${parquet}`)).toEqual([["4"]]);
    connection.closeSync();
  });
});
