/**
 * Running the contestants of a benchmark: each prints "seconds mean-wait [version]" and ends. Seconds are those of the processor, which a machine
 * that is busy with other things does not falsify as it does those of the clock.
 */
import { execFileSync, spawnSync } from "node:child_process";

export interface Contestant {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Customers per run: slow contestants get fewer. */
  readonly customers: number;
}

export interface Outcome {
  readonly name: string;
  /** Best of all rounds. */
  readonly customersPerSecond: number;
  /** In mean service times. */
  readonly wait: number;
}

/** Runs all contestants in turn, round after round, so that none has the machine's good hours to itself. */
export function compete(contestants: readonly Contestant[], rounds: number, servers: number, load: number): Outcome[] {
  const best = contestants.map(({ name }) => ({ name, customersPerSecond: 0, wait: 0 }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { command, args, customers }] of contestants.entries()) {
      const model = [customers, servers, load].map(String);
      const [seconds, wait] = execFileSync(command, [...args, ...model], { encoding: "utf8" })
        .split(" ")
        .map(Number);
      const rate = customers / seconds!;
      if (rate > best[i]!.customersPerSecond) best[i] = { ...best[i]!, customersPerSecond: rate, wait: wait! };
    }
  }
  return best;
}

/** Whether the command can be started and ends well. */
export function works(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
