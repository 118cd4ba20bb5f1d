/** Chats of a sequence: sent, answered at once or later, and held against what the model says. */
import { completedFrom } from "../../checks/completed.ts";
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { answersInWords, expectedAnswer, isAnswer } from "../../model/answers.ts";
import { isPossible, mostLocked, possibleBalance } from "../../model/balance.ts";
import type { ChatStep } from "../../model/command.ts";
import type { ModelJob } from "../../model/state.ts";
import type { Completed } from "../case.ts";
import { slack, streamTimes } from "../support/pace.ts";
import { told } from "../support/refusals.ts";
import { learnIds } from "./jobs.ts";
import { type Flight, isServed, modelOf, type Play, playerOf, workersOf } from "./play.ts";

const STOPS = ["e", " a"];
/** So many tokens may take longer than the 120 s that a job has. */
const LONG = 600;

/** Tells the workers what to do, where they can be told; what is in flight with them is then uncertain. */
async function tell(play: Play, step: ChatStep): Promise<void> {
  const { t } = play;
  const model = modelOf(play, step.model);
  const now = workersOf(play, model);
  if (!t.has("behaviours") || (now.worker === step.worker && now.says === step.says)) return;
  await t.behave(model, step.worker, step.says ?? undefined);
  play.workers.set(model.id, { ...now, worker: step.worker, says: step.says });
  for (const { job } of play.flights) if (job.model.id === model.id) job.certain = false;
  for (const job of play.jobs) if (job.model.id === model.id && job.answer === "left") job.certain = false;
}

/** Sends a chat, and waits for its answer when the step says so. */
export async function chat(play: Play, step: ChatStep): Promise<void> {
  const { t } = play;
  const player = playerOf(play, step.wallet);
  const model = modelOf(play, step.model);
  const before = workersOf(play, model).worker;
  await tell(play, step);
  if (!(await isServed(play, player, model))) return;
  const long = (step.most ?? step.says ?? LONG) >= LONG && (step.says ?? LONG) >= LONG;
  const balance = possibleBalance(player.model, t.clock.now());
  const expected = expectedAnswer({
    wallet: player.model,
    model,
    most: step.most,
    worker: step.worker,
    before,
    long,
    steered: t.has("behaviours"),
    balance,
    refunded: player.model.happened.some((each) => each.low === "4.1/39"),
  });
  const job: ModelJob = {
    ...{ id: null, wallet: player.model, model, stream: step.stream, worker: step.worker, certain: true, long },
    ...{
      unbounded: step.most === null,
      lock: mostLocked(model, step.most),
      sentAt: t.clock.now(),
      seenAt: t.clock.now(),
    },
    ...{ bornAfter: play.step, bornBefore: Number.POSITIVE_INFINITY, answer: "flying", status: null, overAt: null },
    ...{ text: null, lastToken: null, charge: null, tokens: null, postedHash: null, dispute: null },
  };
  const pending = player.wallet.api
    .say({
      model: model.id,
      stream: step.stream,
      max_tokens: step.most ?? undefined,
      stop: step.stop ? STOPS : undefined,
    })
    .start();
  const flight: Flight = { job, player, pending, expected };
  player.model.jobs.push(job);
  play.jobs.push(job);
  play.flights.push(flight);
  await t.clock.settle();
  if (step.wait) await land(play, flight, step);
}

/** Takes a request out of the flights once it has been answered, and judges the answer. */
export async function land(play: Play, flight: Flight, step: ChatStep | null = null): Promise<void> {
  const answer = await flight.pending.finish();
  play.flights.splice(play.flights.indexOf(flight), 1);
  const { job } = flight;
  job.bornBefore = play.step;
  job.seenAt = play.t.clock.now();
  judgeAnswer(play, flight, answer);
  if (job.answer !== "completed") {
    await learnIds(play, flight.player);
    return;
  }
  if (step !== null) judgeCompletion(play, flight, answer, step);
}

/** Status and code, and what they make of the job. */
function judgeAnswer(play: Play, flight: Flight, answer: Exchange): void {
  const { t } = play;
  const { job, player, expected } = flight;
  const done = completedFrom(answer, t.brand);
  const code = errorCode(answer);
  const shown = { expected: answersInWords(expected.right), seen: told(answer), exchanges: answer };
  const fellShort = job.worker === "silent" || job.worker === "failing" || !job.certain;
  if (answer.status === 200 && done === null && job.stream && fellShort) {
    // How a stream ends whose worker dropped out is open (4.1/50), as long as it does not end as a whole one.
    job.answer = "broken";
    return;
  }
  if (answer.ending === "timeout") {
    t.check(job.worker === "silent" ? "7.2/8" : "8/4", false, { ...shown, seen: "no answer in 180 s" });
    return;
  }
  if (answer.ending !== "answered" && answer.status !== 200) t.giveUp(`a chat was not answered: ${answer.ending}`);
  if (job.certain) {
    const unpaid = answer.status === 402 && !expected.right.some((each) => each.status === 402);
    const ok = isAnswer(answer.status, code, expected.right);
    const row = unpaid ? expected.unpaid : code === "model_not_found" ? "1/17" : expected.row;
    if (!t.check(row, ok, shown)) return;
  }
  if (answer.status === 200) {
    const broken = { title: "an answer of 200 is no whole completion", expected: "a completion", seen: answer.text };
    if (!t.check(job.stream ? "4.1/27" : "4.1/5", done !== null, { ...broken, exchanges: answer }) || done === null)
      return;
    job.answer = "completed";
    job.id = done.jobId;
    job.text = done.text;
    job.lastToken = lastTokenOf(play, done);
  } else if (answer.status === 504) job.answer = "timed-out";
  else if (answer.status === 503 && code === "no_workers_available") job.answer = "none";
  else if (answer.status >= 500) job.answer = "failed";
  else refuse(play, flight);
  judgeDetails(play, flight, answer);
  if (job.answer === "none") player.model.happened.push({ low: "3.1/21", high: "3.1/21", units: [job.lock] });
}

/** Nothing was made of it, and nothing may be charged for it. */
function refuse(play: Play, { job, player }: Flight): void {
  const row = player.model.key === "active" ? "1/3" : "3.3/5";
  player.model.happened.push({ low: row, high: row, units: [job.lock, job.model.credits_per_request] });
  player.model.jobs.splice(player.model.jobs.indexOf(job), 1);
  play.jobs.splice(play.jobs.indexOf(job), 1);
}

/** What an error tells of the balance, the tier and the refund. */
function judgeDetails(play: Play, { job, player }: Flight, answer: Exchange): void {
  const { t } = play;
  const detail = (name: string): unknown => at(answer.json, "error", "details", name);
  if (answer.status === 402) {
    const possible = possibleBalance(player.model, t.clock.now());
    const [remaining, tier] = [detail("credits_remaining"), detail("tier")];
    // In flight a balance may be told with the locked units or without.
    const ok = typeof remaining !== "number" || isPossible(remaining, possible);
    t.check("7.2/2", ok && (tier === undefined || tier === job.model.tier), {
      expected: `${possible.exact?.join(" or ") ?? `${possible.least} to ${possible.most}`} units, ${job.model.tier}`,
      seen: at(answer.json, "error", "details"),
      exchanges: answer,
    });
  }
  const [refunded, id] = [detail("credits_refunded"), detail("job_id")];
  if (answer.status !== 504) return;
  if (typeof id === "string") job.id ??= id;
  if (typeof refunded !== "number") return;
  const flat = job.model.credits_per_request;
  t.check("7.2/11", refunded >= flat && refunded <= job.lock, {
    expected: flat === job.lock ? `${flat} units` : `${flat} to ${job.lock} units`,
    seen: refunded,
    exchanges: answer,
  });
}

/** What the completion itself must be, with these parameters. */
function judgeCompletion(play: Play, { job, player, expected }: Flight, answer: Exchange, step: ChatStep): void {
  const { t } = play;
  const { says, most, stop } = step;
  const text = job.text ?? "";
  const found = stop ? STOPS.find((each) => text.includes(each)) : undefined;
  t.check(job.stream ? "4.1/35" : "4.1/11", found === undefined, {
    title: "a text contains its `stop` sequence",
    expected: `a text without ${JSON.stringify(STOPS)}`,
    seen: text.slice(0, 300),
    exchanges: answer,
  });
  // A balance that does not bear the estimate may be answered within what it bears (4.1/49 is open), and so be cut.
  const within = expected.right.some((each) => each.status === 402);
  if (says !== null && !stop && says !== most && !within) {
    const reason = most !== null && most < says ? "length" : "stop";
    const seen = finishReason(answer, job.stream);
    t.check(reason === "length" ? "4.1/15" : "4.1/16", seen === reason, { expected: reason, seen, exchanges: answer });
  }
  const header = answer.headers.get(`x-${t.brand}-credits-remaining`) ?? "";
  if (/^\d+$/.test(header)) {
    const { least, most: highest } = possibleBalance(player.model, t.clock.now());
    t.check("4.11/7", Number(header) >= least && Number(header) <= highest, {
      expected: `${least} to ${highest} units`,
      seen: header,
      exchanges: answer,
    });
  }
}

function finishReason(answer: Exchange, stream: boolean): unknown {
  if (!stream) return at(answer.json, "choices", 0, "finish_reason");
  const reasons = readStream(answer).chunks.map((chunk) => at(chunk.json, "choices", 0, "finish_reason"));
  return reasons.findLast((each) => typeof each === "string");
}

/**
 * Not before the request, and not after its answer was looked at: what comes while a clock is moved bears the time from which it was moved, however
 * far that was. A stream brings the lower bound nearer: no message is longer on its way than the first content was.
 */
function lastTokenOf({ t }: Play, { exchange }: Completed): { readonly from: number; readonly to: number } {
  const times = streamTimes(exchange);
  const off = slack(t);
  const to = t.clock.now() + off;
  if (times === null) return { from: exchange.sentAt - off, to };
  const earlier = exchange.arrivals.filter((each) => each.at < times.lastAt).at(-1)?.at ?? exchange.sentAt;
  const from = Math.max(exchange.sentAt, earlier - (times.firstAt - times.sentAt));
  return { from: from - off, to };
}

/** The client closes the connection; its job goes on. */
export async function leave(play: Play, number: number): Promise<void> {
  const flight = play.flights[number % Math.max(1, play.flights.length)];
  if (flight === undefined || flight.job.id === null) return;
  flight.pending.abort();
  play.flights.splice(play.flights.indexOf(flight), 1);
  flight.job.answer = "left";
  flight.job.bornBefore = play.step;
  await play.t.clock.settle();
}

/** Judges what has been answered meanwhile. */
export async function harvest(play: Play): Promise<void> {
  for (const flight of [...play.flights]) if (flight.pending.settled) await land(play, flight);
}

/** Waits for everything in flight. */
export async function finish(play: Play): Promise<void> {
  for (const flight of [...play.flights]) await land(play, flight);
}
