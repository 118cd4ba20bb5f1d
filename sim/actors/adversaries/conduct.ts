/**
 * How a worker cheats, as data: what it delivers, what it posts, how long it takes and what it costs the worker, and who can tell.
 *
 * The economics of each conduct stand in its own file. Words used there, for one job: `pay` is what the worker gets (85 % or 75 % of the charge),
 * `cost` what honest work costs it, `q` the chance that a cheat is found out before payment (audit rate times the share of audits that see it),
 * `slash` what it then loses, worth `price` a token.
 */
export interface Conduct {
  readonly name: string;
  /** Its number in the trace, from 1. */
  readonly how: number;
  /** It never delivers and never posts a proof. */
  readonly withholds: boolean;
  /** The hash that it posts is that of what it delivers, so a client that compares hashes sees nothing. */
  readonly hashFits: boolean;
  /** Time at the worker, and the worker's cost, in thousandths of those of honest work. */
  readonly pace: number;
  readonly effort: number;
  /** How often not even running the job again shows the cheat, counted in `CHANCES`. */
  readonly resemblance: number;
}

/** What a scenario may say otherwise about a conduct. */
export type ConductChanges = Partial<Pick<Conduct, "pace" | "effort" | "resemblance">>;

export type MakeConduct = (changes?: ConductChanges) => Conduct;
