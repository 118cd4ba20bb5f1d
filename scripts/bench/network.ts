/**
 * The whole network: gateway, router, escrow, timers, settlement, hash, every checker and the figures on, JOBS jobs, or the scenario of the real trace.
 * Prints the jobs, the CPU seconds that the run took, and the most memory that the process held, in megabytes.
 *
 * Usage: network JOBS
 *        network trace FILE
 */
import { runWorld } from "../../sim/run.ts";
import { buildScenario, loadScenario, parseScenario } from "../../sim/scenario/index.ts";

const [what, trace] = process.argv.slice(2);
const jobs = Number(what);
const steady = `
seed: 1
workers:
  - { kind: native, count: 400, slots: 4 }
  - { kind: browser, count: 400 }
clients:
  - { name: all, wallets: 1000, units: 100000000, requests: ${jobs}, arrivals: { process: poisson, rate: 20 } }
`;

const options =
  what === "trace"
    ? buildScenario(loadScenario("scenarios/real-trace.yaml"), { trace })
    : buildScenario(parseScenario(steady, "network.yaml"));
const began = process.cpuUsage();
const { figures, violationCount } = await runWorld(options);
const { user, system } = process.cpuUsage(began);
if (violationCount > 0 || (what !== "trace" && figures.jobs.created !== jobs) || figures.jobs.unfinished > 0) {
  throw new Error(`${violationCount} violations; jobs: ${JSON.stringify(figures.jobs)}`);
}
console.log(
  `${figures.jobs.created} ${((user + system) / 1e6).toFixed(3)} ${Math.round(process.resourceUsage().maxRSS / 1024)}`,
);
