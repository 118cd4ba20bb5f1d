/** Who hears what the gateway does: clients, the webhook sender, the HTTP door. Called at the virtual time at which it happens. */
import type { Job } from "./job.ts";

export interface Ears {
  locked(job: Job): void;
  processing(job: Job): void;
  firstToken(job: Job): void;
  lastToken(job: Job): void;
  settled(job: Job): void;
  failed(job: Job): void;
  refunded(job: Job): void;
  disputed(job: Job): void;
  lowCredit(wallet: number, remaining: number): void;
  toppedUp(wallet: number, units: number, remaining: number): void;
  registered(worker: number): void;
  slashed(worker: number, job: number, tokens: number, tx: number): void;
}

const nothing = (): void => {};

/** Ears that hear nothing; a base to put single ears on. */
export const deaf: Ears = {
  locked: nothing,
  processing: nothing,
  firstToken: nothing,
  lastToken: nothing,
  settled: nothing,
  failed: nothing,
  refunded: nothing,
  disputed: nothing,
  lowCredit: nothing,
  toppedUp: nothing,
  registered: nothing,
  slashed: nothing,
};

/** Ears that pass everything on to two others, in this order. */
export function both(first: Ears, second: Ears): Ears {
  if (first === deaf) return second;
  if (second === deaf) return first;
  const pass =
    <K extends keyof Ears>(name: K) =>
    (...heard: Parameters<Ears[K]>): void => {
      (first[name] as (...heard: Parameters<Ears[K]>) => void)(...heard);
      (second[name] as (...heard: Parameters<Ears[K]>) => void)(...heard);
    };
  return {
    locked: pass("locked"),
    processing: pass("processing"),
    firstToken: pass("firstToken"),
    lastToken: pass("lastToken"),
    settled: pass("settled"),
    failed: pass("failed"),
    refunded: pass("refunded"),
    disputed: pass("disputed"),
    lowCredit: pass("lowCredit"),
    toppedUp: pass("toppedUp"),
    registered: pass("registered"),
    slashed: pass("slashed"),
  };
}
