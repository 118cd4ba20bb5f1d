/** The answers that the scenarios on crowds, churn, partitions, griefers and clocks promise, held against their runs. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "./core/index.ts";
import { type RunResult, runWorld } from "./run.ts";
import { buildScenario, loadScenario } from "./scenario/index.ts";
import { kinds, MemoryRecorder, type TraceEvent } from "./trace/index.ts";

interface Ran {
  readonly result: RunResult;
  readonly events: MemoryRecorder<typeof kinds.definitions>;
}

async function run(name: string): Promise<Ran> {
  const file = fileURLToPath(new URL(`../scenarios/${name}.yaml`, import.meta.url));
  const events = new MemoryRecorder(kinds);
  const result = await runWorld({ ...buildScenario(loadScenario(file)), recorder: events });
  return { result, events };
}

type Event = TraceEvent<typeof kinds.definitions>;

const party = ({ result }: Ran, name: string) => result.figures.parties.find((each) => each.name === name)!;

describe("flash-crowd", () => {
  it("the careless make four times the jobs that they have questions, see a tenth answered, and pay for what they do not see", async () => {
    const ran = await run("flash-crowd");
    const population: number[] = [];
    const wallet: number[] = [];
    const hungUp = new Set<number>();
    const count = { created: [0, 0, 0], retried: [0, 0, 0], answered: [0, 0, 0], unseen: [0, 0, 0] };
    let lastRefund = 0;
    for (const event of ran.events) {
      if (event.kind === "wallet.opened") population[event.wallet] = event.population;
      if (event.kind === "request.retried") count.retried[population[event.wallet]!]!++;
      if (event.kind === "job.created") {
        wallet[event.job] = event.wallet;
        hungUp.delete(event.job);
        count.created[population[event.wallet]!]!++;
      }
      if (event.kind === "client.gaveUp") hungUp.add(event.job);
      if (event.kind === "job.settled")
        (hungUp.has(event.job) ? count.unseen : count.answered)[population[wallet[event.job]!]!]!++;
      if (event.kind === "job.refunded") lastRefund = event.time;
    }
    const asked = count.created.map((created, index) => created - count.retried[index]!);
    expect(count.created[2]! / asked[2]!).toBeGreaterThan(4);
    expect(count.answered[2]! / asked[2]!).toBeLessThan(0.15);
    expect(count.unseen[2]!).toBeGreaterThan(2_000);
    expect(count.answered[1]! / asked[1]!).toBeGreaterThan(2 * (count.answered[2]! / asked[2]!));
    expect(count.answered[0]! / asked[0]!).toBeGreaterThan(0.8);
    expect(lastRefund).toBeLessThan(35 * MINUTE);
  });
});

describe("browser-churn", () => {
  it("keeps two thirds of the tabs there, fails as many jobs as tabs are closed under, and every reader gets an answer", async () => {
    const { result, events } = await run("browser-churn");
    const { jobs, requests } = result.figures;
    let stays = 0;
    let present = 0;
    let area = 0;
    let since = 0;
    const taken: number[] = [];
    for (const event of events) {
      if (event.kind === "job.processing") taken[event.job] = event.time;
      if (event.kind === "job.lastToken") stays += event.time - taken[event.job]!;
      if (event.kind !== "worker.registered" && event.kind !== "worker.left") continue;
      area += present * (event.time - since);
      since = event.time;
      present += event.kind === "worker.registered" ? 1 : -1;
    }
    const stay = stays / jobs.settled;
    const truth = 1 - Math.exp(-stay / (20 * MINUTE));
    expect(Math.abs(jobs.failed / jobs.created - truth)).toBeLessThan(3.3 * Math.sqrt(truth / jobs.created));
    // It begins with all ninety; the surplus decays within minutes.
    expect(Math.abs(area / since - 60)).toBeLessThan(4);
    expect(requests.retried).toBe(jobs.failed);
    expect(jobs.settled).toBe(requests.arrived - requests.retried);
  });
});

describe("regional-partition", () => {
  it("loses the jobs that the cut region holds, each for 120 s, and nothing after it", async () => {
    const { result, events } = await run("regional-partition");
    const { refunded } = result.figures.jobs;
    expect(refunded).toBeGreaterThan(200);
    expect(refunded).toBeLessThan(400);
    for (const event of events) {
      if (event.kind === "job.refunded") {
        expect(event.worker).toBeGreaterThanOrEqual(8);
        expect(event.time).toBeLessThan(22 * MINUTE);
      }
    }
  });
});

describe("withheld-results", () => {
  it("loses well under one in a hundred jobs, and pays those who withhold nothing", async () => {
    const ran = await run("withheld-results");
    const { jobs } = ran.result.figures;
    expect(jobs.refunded).toBeGreaterThan(0);
    expect(jobs.refunded / jobs.created).toBeLessThan(0.01);
    expect(party(ran, "withholding")).toMatchObject({ jobs: 0, revenue: 0, net: 0 });
  });
});

describe("griefing-disputes", () => {
  it("wins the griefer about 0.3 units a job, at ten tokens of an honest worker for each wrong verdict", async () => {
    const ran = await run("griefing-disputes");
    const griefer = party(ran, "griefer");
    const gain = (griefer.revenue - griefer.jobs * 10) / griefer.jobs;
    // A wrong verdict brings 800; so many of them vary by the square root of p (1 - p) n.
    expect(Math.abs(gain - 30)).toBeLessThan(3.3 * 800 * Math.sqrt((0.05 * 0.95) / griefer.jobs));
    expect(party(ran, "honest").slashed).toBe(ran.result.figures.cheats.wronged * 10);
    expect(party(ran, "public").revenue).toBe(0);
  });
});

describe("sybil-wave", () => {
  it("pays about 8 units a face, with nothing to slash", async () => {
    const wave = party(await run("sybil-wave"), "wave");
    const faces = wave.members - 40;
    expect(wave.slashed).toBe(0);
    expect(wave.costs).toBe(faces * 500);
    expect(Math.abs(wave.revenue / faces - 1_350)).toBeLessThan(3.3 * 150 * Math.sqrt(90 / faces));
    expect(Math.abs(wave.net / faces - 850)).toBeLessThan(3.3 * 150 * Math.sqrt(90 / faces));
  });
});

describe("withdrawal-race", () => {
  it("gives the thief nothing but its own money, and the racer twelve answers for the price of twelve", async () => {
    const ran = await run("withdrawal-race");
    expect(party(ran, "thief")).toMatchObject({ jobs: 0, revenue: 0, costs: 0 });
    expect(ran.result.figures.jobs.failed).toBeGreaterThan(200);
    const racer = party(ran, "racer");
    expect(racer.costs).toBe(racer.jobs * 800);
    // Which of the sixty wallets sends is drawn; the units of each pay for twelve, once.
    const raced = new Set<number>();
    const populations: number[] = [];
    for (const event of ran.events) {
      if (event.kind === "wallet.opened") populations[event.wallet] = event.population;
      if (event.kind === "job.created" && populations[event.wallet] === 2) raced.add(event.wallet);
    }
    expect(racer.jobs).toBe(raced.size * 12);
  });
});

describe("webhook-outage", () => {
  it("brings everything to the endpoint that was away for minutes, and fails the one that was away for hours at its fifth attempt", async () => {
    const { events } = await run("webhook-outage");
    const webhookOf: number[] = [];
    const ended = [
      [0, 0],
      [0, 0],
    ];
    let first = Infinity;
    let failed = 0;
    for (const event of events) {
      if (event.kind === "delivery.created") webhookOf[event.delivery] = event.webhook;
      if (event.kind === "delivery.failed" && webhookOf[event.delivery] === 1 && event.time > 2 * HOUR)
        first = Math.min(first, event.time);
      if (event.kind === "webhook.failed") {
        expect(event.webhook).toBe(1);
        failed = event.time;
      }
      if (event.kind === "delivery.ended") ended[webhookOf[event.delivery]!]![event.delivered]!++;
    }
    expect(ended[0]![0]).toBe(0);
    expect(ended[1]![0]).toBeGreaterThan(500);
    expect(failed - first).toBe((2 * 3_600 + 35 * 60 + 30) * SECOND);
  });
});

describe("chain-stall", () => {
  it("refunds whoever asks in its first minute and a few more, serves nobody before its end, and settles late what was under way", async () => {
    const [begins, ends] = [10 * MINUTE, 13 * MINUTE];
    const { result, events } = await run("chain-stall");
    const created: number[] = [];
    const lastToken: number[] = [];
    const refunded: number[] = [];
    let asked = 0;
    let late = 0;
    for (const event of events) {
      if (event.kind === "job.created") {
        created[event.job] = event.time;
        if (event.time > begins && event.time <= begins + MINUTE) asked++;
      }
      if (event.kind === "job.refunded") refunded.push(created[event.job]!);
      if (event.kind === "job.lastToken") lastToken[event.job] = event.time;
      if (event.kind === "block.sealed") expect(event.time < begins || event.time >= ends).toBe(true);
      if (event.kind === "job.processing" && created[event.job]! > begins)
        expect(event.time).toBeGreaterThanOrEqual(ends);
      if (event.kind === "job.settled" && lastToken[event.job]! > begins && lastToken[event.job]! < ends) {
        expect(event.time).toBeGreaterThanOrEqual(ends);
        late++;
      }
    }
    expect(late).toBeGreaterThan(3);
    expect(refunded.filter((time) => time > begins && time <= begins + MINUTE).length).toBe(asked);
    expect(Math.abs(asked - 120)).toBeLessThan(3.3 * Math.sqrt(120));
    // The last two seconds before it, which its first block would have held, and those whom the crowd brought too late.
    expect(Math.min(...refunded)).toBeGreaterThan(begins - 2 * SECOND);
    expect(Math.max(...refunded)).toBeLessThan(begins + MINUTE + 15 * SECOND);
    expect(refunded.length).toBeLessThan(asked + 30);
    expect(result.figures.jobs).toMatchObject({ failed: 0, settled: result.figures.jobs.created - refunded.length });
  });
});

describe("reorganisation", () => {
  it.each([
    { confirmations: 0, settledSince: 12 },
    { confirmations: 3, settledSince: 6 },
    { confirmations: 6, settledSince: 0 },
  ])(
    "with $confirmations confirmations takes back what was settled in $settledSince seconds",
    async ({ confirmations, settledSince }) => {
      const file = fileURLToPath(new URL("../scenarios/reorganisation.yaml", import.meta.url));
      const options = buildScenario(loadScenario(file));
      const events = new MemoryRecorder(kinds);
      const { violations, figures } = await runWorld({
        ...options,
        chain: { ...options.chain!, confirmations },
        recorder: events,
      });
      expect(violations).toEqual([]);
      const unsettled: number[] = [];
      const resettled: number[] = [];
      for (const event of events) {
        if (event.kind === "job.unsettled") unsettled.push(event.time);
        if (event.kind === "job.resettled") resettled.push(event.time);
      }
      expect(unsettled.every((time) => time === 601 * SECOND || time === 1_201 * SECOND)).toBe(true);
      const expected = 2 * 2 * settledSince;
      expect(Math.abs(unsettled.length - expected)).toBeLessThanOrEqual(3.3 * Math.sqrt(expected));
      expect(resettled.length).toBe(unsettled.length);
      // With the next block, and its confirmations.
      for (const [index, time] of resettled.entries()) {
        expect(time - unsettled[index]!).toBeLessThanOrEqual((1 + 2 * confirmations) * SECOND);
      }
      expect(figures.jobs.settled).toBe(figures.jobs.created);
    },
  );
});

describe("junk-ring", () => {
  it("unaudited, is noticed by nobody, and wins the cost of the work over honest workers", async () => {
    const ran = await run("junk-ring");
    const { disputes, cheats, jobs } = ran.result.figures;
    const [honest, ring] = [party(ran, "honest"), party(ran, "ring")];
    expect(disputes.opened).toBe(0);
    expect(cheats).toMatchObject({ audits: 0, paid: ring.jobs });
    expect(ring.jobs / jobs.settled).toBeCloseTo(1 / 5, 2);
    expect(ring).toMatchObject({ costs: 0, slashed: 0, members: 5 });
    // A job costs 1 unit and 4 for a thousand of its 250 tokens.
    expect(honest.costs / honest.jobs).toBeCloseTo(200, -1);
    expect(ring.net / ring.jobs - honest.net / honest.jobs).toBeCloseTo(200, -1);
  });

  it("audited, lasts for twenty jobs a head, and loses its stake", async () => {
    const ran = await run("junk-ring-audited");
    const { cheats, disputes, stake } = ran.result.figures;
    const [honest, ring, treasury] = [party(ran, "honest"), party(ran, "ring"), party(ran, "treasury")];
    const left: number[] = [];
    for (const event of ran.events) if (event.kind === "worker.left") left.push(event.time);
    expect(left.length).toBe(5);
    expect(left.at(-1)).toBeLessThan(6 * HOUR);
    // Paid jobs before the fifth refusal: a sum of five geometric numbers with mean 19.
    expect(Math.abs(cheats.paid - 95)).toBeLessThan(3.3 * Math.sqrt((5 * 0.95) / 0.05 ** 2));
    expect(cheats).toMatchObject({ refused: 5, wronged: 0 });
    expect(disputes).toMatchObject({ opened: 5, fraudulent: 5 });
    expect(stake.slashed).toBe(5 * 500);
    expect(honest.slashed).toBe(0);
    expect(ring.total).toBe(ring.revenue - 5 * 500 * 5_000);
    expect(treasury.costs).toBe(cheats.audits * 50);
    expect(Math.abs(cheats.audits - 864)).toBeLessThan(3.3 * Math.sqrt(864));
  });
});

describe("skewed-clocks", () => {
  it("refunds 24 ms early throughout, and refuses only the disputes that stand astride the jump", async () => {
    const { result, events } = await run("skewed-clocks");
    const created: number[] = [];
    const ages = new Set<number>();
    const fraud: (Event & { kind: "job.lastToken" })[] = [];
    const open = new Map<number, Event & { kind: "job.lastToken" }>();
    for (const event of events) {
      if (event.kind === "job.created") created[event.job] = event.time;
      if (event.kind === "job.refunded") ages.add(event.time - created[event.job]!);
      if (event.kind === "job.lastToken") open.set(event.job, event);
      if (event.kind === "job.settling" && event.honest === 0) fraud.push(open.get(event.job)!);
    }
    expect([...ages]).toEqual([119_976_005]);
    const astride = fraud.filter(({ time }) => time < 2 * HOUR && time + 50 * SECOND >= 2 * HOUR).length;
    expect(astride).toBeGreaterThan(4);
    expect(result.figures.disputes.opened).toBe(fraud.length - astride);
  });
});
