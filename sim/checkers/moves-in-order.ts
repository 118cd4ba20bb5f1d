/**
 * A job moves only along the contract's order (3.1, 4.1): locked before it is routed, run by one worker, proven, paid, settled. It times out
 * only before its last token, and fails then or when its proof is refused. A worker that lets a job go has finished it, or the job has ended.
 */
import type { MakeChecker } from "./checker.ts";

const STATES = [
  "created",
  "locked",
  "processing",
  "at its first token",
  "at its last token",
  "settling",
  "paid",
  "settled",
  "failed",
  "refunded",
] as const;
type State = (typeof STATES)[number];
const of = (state: State): number => STATES.indexOf(state);

/** One bit for each state from which a move may be made. */
const from = (...states: readonly State[]): number => states.reduce((mask, state) => mask | (1 << of(state)), 0);
const TO_LOCKED = from("created", "failed", "refunded");
const TO_PROCESSING = from("locked");
const TO_FIRST = from("processing");
const TO_LAST = from("at its first token");
const TO_SETTLING = from("at its last token");
const TO_PAID = from("settling");
const TO_SETTLED = from("paid");
const TO_FAILED = from("created", "processing", "at its first token", "at its last token", "settling");
const TO_REFUNDED = from("created", "locked", "processing", "at its first token");
const TO_LATE = from("refunded");
const TO_DISPUTED = from("settling", "paid", "settled");
const TO_FREED = from("at its last token", "settling", "paid", "settled", "failed", "refunded");
const ENDED = from("failed", "refunded");

const NOBODY = -1;

export const movesInOrder: MakeChecker = (report) => {
  const state: number[] = [];
  const workerOf: number[] = [];
  const expect = (time: number, job: number, allowed: number, what: string): void => {
    const now = state[job] ?? 0;
    if ((allowed & (1 << now)) === 0) report(time, `job ${job}: ${what} while ${STATES[now]}`);
  };
  const move = (time: number, job: number, allowed: number, to: number, what: string): void => {
    expect(time, job, allowed, what);
    state[job] = to;
  };
  const by = (time: number, job: number, worker: number): void => {
    if (workerOf[job] !== worker)
      report(time, `job ${job}: worker ${worker} speaks for it, not worker ${workerOf[job]}`);
  };
  const [LOCKED, PROCESSING, FIRST, LAST] = [
    of("locked"),
    of("processing"),
    of("at its first token"),
    of("at its last token"),
  ];
  const [SETTLING, PAID, SETTLED, FAILED, REFUNDED] = [
    of("settling"),
    of("paid"),
    of("settled"),
    of("failed"),
    of("refunded"),
  ];
  return {
    on: {
      "job.created": (_time, job) => {
        state[job] = 0;
        workerOf[job] = NOBODY;
      },
      "job.locked": (time, job) => {
        expect(time, job, TO_LOCKED, "locked");
        // A slow chain may seal the lock of a job that has timed out meanwhile.
        if ((ENDED & (1 << state[job]!)) === 0) state[job] = LOCKED;
      },
      "job.processing": (time, job, worker) => {
        move(time, job, TO_PROCESSING, PROCESSING, "taken by a worker");
        workerOf[job] = worker;
      },
      "job.firstToken": (time, job, worker) => {
        move(time, job, TO_FIRST, FIRST, "a first token");
        by(time, job, worker);
      },
      "job.lastToken": (time, job, worker) => {
        move(time, job, TO_LAST, LAST, "a last token");
        by(time, job, worker);
      },
      "job.settling": (time, job, worker) => {
        move(time, job, TO_SETTLING, SETTLING, "proven");
        by(time, job, worker);
      },
      "job.paid": (time, job) => move(time, job, TO_PAID, PAID, "paid"),
      "job.settled": (time, job) => move(time, job, TO_SETTLED, SETTLED, "settled"),
      "job.failed": (time, job) => move(time, job, TO_FAILED, FAILED, "failed"),
      "job.refunded": (time, job) => move(time, job, TO_REFUNDED, REFUNDED, "refunded"),
      "job.late": (time, job) => expect(time, job, TO_LATE, "finished late"),
      "job.disputed": (time, job) => expect(time, job, TO_DISPUTED, "disputed"),
      "slot.freed": (time, _worker, job) => expect(time, job, TO_FREED, "let go by its worker"),
    },
  };
};
