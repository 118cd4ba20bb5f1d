/**
 * Closed forms of queueing theory. a is the offered load λ/μ, c the number of servers, times are in mean service times.
 */

/** Erlang B: the share of customers who find all of c servers busy where nobody waits. */
export function erlangB(c: number, a: number): number {
  let b = 1;
  for (let k = 1; k <= c; k++) b = (a * b) / (k + a * b);
  return b;
}

/** Erlang C: the share of customers who wait in M/M/c. */
export function erlangC(c: number, a: number): number {
  const b = erlangB(c, a);
  return (c * b) / (c - a * (1 - b));
}

/** Mean wait in M/M/c. */
export function meanWait(c: number, a: number): number {
  return erlangC(c, a) / (c - a);
}

/** Pollaczek and Khinchine: mean wait in M/G/1 whose service times have the squared coefficient of variation `scv`. */
export function pollaczekKhinchine(rho: number, scv: number): number {
  return (rho * (1 + scv)) / (2 * (1 - rho));
}

/** The share who leave in M/M/c where everybody leaves who has waited for tau; a < c. */
export function lossByDeadline(c: number, a: number, tau: number): number {
  const rho = a / c;
  const w = erlangC(c, a) * Math.exp(-(c - a) * tau);
  return ((1 - rho) * w) / (1 - rho * w);
}

/** One server, everybody dropped who has stayed for tau: the share dropped, and the share of time in which the server is idle. */
export function lossByTimer(rho: number, tau: number): { readonly loss: number; readonly idle: number } {
  const e = Math.exp(-(1 - rho) * tau);
  return { loss: ((1 - rho) * e) / (1 - rho * e), idle: (1 - rho) / (1 - rho * e) };
}
