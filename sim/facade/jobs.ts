/**
 * The jobs that were made through the door: their ids, what they are going to say, and whose they are.
 */
import { token } from "./ids.ts";
import type { PlannedText } from "./text.ts";

/** What the door keeps of a job; everything else is asked of the world. */
export interface JobRecord {
  /** `job_` and 24 letters and digits. */
  readonly id: string;
  readonly job: number;
  readonly wallet: number;
  readonly model: number;
  readonly streamed: boolean;
  readonly plan: PlannedText;
  /** The hash that a client sent last to dispute it. */
  received?: string;
  /** The answer to the dispute that was opened. */
  dispute?: Readonly<Record<string, unknown>>;
}

export interface JobBook {
  /** The id of any job of the world, made through the door or not. */
  idOf(job: number): string;
  add(record: Omit<JobRecord, "id">): JobRecord;
  find(id: string): JobRecord | undefined;
  /** A wallet's jobs in order of creation. */
  of(wallet: number): readonly JobRecord[];
  /** Every wallet's jobs in order of creation. */
  all(): Iterable<JobRecord>;
  /** Jobs made through the door. */
  readonly count: number;
}

export function createJobBook(seed: string | number): JobBook {
  const byId = new Map<string, JobRecord>();
  const byWallet = new Map<number, JobRecord[]>();
  const idOf = (job: number): string => `job_${token(seed, "job", job, 24)}`;
  return {
    idOf,
    add(facts) {
      const record: JobRecord = { ...facts, id: idOf(facts.job) };
      byId.set(record.id, record);
      const own = byWallet.get(record.wallet);
      if (own === undefined) byWallet.set(record.wallet, [record]);
      else own.push(record);
      return record;
    },
    find: (id) => byId.get(id),
    of: (wallet) => byWallet.get(wallet) ?? [],
    all: () => byId.values(),
    get count() {
      return byId.size;
    },
  };
}
