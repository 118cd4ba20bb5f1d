/** Draws sequences. What a run cannot do is not drawn: a sequence holds only steps that its capabilities allow. */
import fc, { type Arbitrary } from "fast-check";
import type { EventName } from "../../fixtures/protocol/index.ts";
import type { Behaviour } from "../target/controls.ts";
import type { ChatStep, Command, Manners, WhichHash } from "./command.ts";
import { shortestList } from "./shrinking.ts";

/** What a run can do, and how much of it. */
export interface Means {
  readonly wallets: number;
  readonly models: number;
  /** Wallets are the run's own: they can be emptied, topped up, and used by nobody else. */
  readonly fresh: boolean;
  readonly behaviours: boolean;
  readonly keys: boolean;
  readonly disputes: boolean;
  readonly arbitration: boolean;
  readonly receiver: boolean;
  /** The longest time that may pass in one step, in milliseconds. */
  readonly patience: number;
}

/** Both sides of the borders of 60 s and of 120 s, and times for everything else that is due. */
const SPANS = [1, 900, 12_000, 59_900, 60_100, 119_900, 120_100, 31_000, 331_000, 2_131_000, 9_400_000, 86_500_000];

const EVENTS: readonly (readonly EventName[])[] = [
  ["job.completed"],
  ["job.submitted", "job.processing", "job.completed", "job.failed", "job.timeout", "job.disputed"],
  ["credit.low", "credit.topup"],
  ["job.timeout", "job.failed", "credit.topup"],
];

const WORKERS: readonly Behaviour[] = ["normal", "silent", "failing", "dishonest", "absent"];

const oneOf = <T>(...items: readonly T[]): Arbitrary<T> => fc.constantFrom(...items);
/** A number of something: which it is depends on how many there are. Favours the latest, which is what a next step is mostly about. */
const some = (most: number): Arbitrary<number> => fc.oneof(fc.constant(0), fc.nat(Math.max(0, most)));

function chats(means: Means): Arbitrary<Command> {
  const told = means.behaviours;
  const worker = told
    ? fc.oneof({ arbitrary: fc.constant("normal" as const), weight: 3 }, { arbitrary: oneOf(...WORKERS), weight: 2 })
    : fc.constant("normal" as const);
  const lengths: Arbitrary<Pick<ChatStep, "says" | "most">> = told
    ? oneOf(
        { says: null, most: 16 },
        { says: null, most: 1 },
        { says: 40, most: 700 },
        { says: 30, most: null },
        { says: 40, most: 2_600 },
        { says: 700, most: 1_700 },
        { says: 1_501, most: 1_400 },
        { says: 1_501, most: null },
      )
    : oneOf({ says: null, most: 16 }, { says: null, most: 1 }, { says: null, most: 6 });
  return fc
    .record({
      wallet: some(means.wallets - 1),
      model: means.fresh ? fc.nat(means.models - 1) : fc.constant(0),
      stream: fc.boolean(),
      worker,
      length: lengths,
      stop: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, { arbitrary: fc.constant(true), weight: 1 }),
      wait: fc.oneof({ arbitrary: fc.constant(true), weight: 2 }, { arbitrary: fc.constant(false), weight: 1 }),
    })
    .map(({ length, ...rest }) => ({ do: "chat" as const, ...rest, ...length }));
}

/** Sequences of up to `longest` steps. */
export function sequences(means: Means, longest: number): Arbitrary<readonly Command[]> {
  const job = some(6);
  const wallet = some(means.wallets - 1);
  const steps: { readonly arbitrary: Arbitrary<Command>; readonly weight: number }[] = [
    { weight: 12, arbitrary: chats(means) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("read" as const), job, by: wallet }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("list" as const),
        wallet,
        limit: oneOf(null, 1, 2, 3, 20, 100),
        status: oneOf<string | null>(null, null, "settled", "failed", "refunded", "disputed"),
        model: fc.option(fc.nat(means.models - 1), { nil: null }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("dispute" as const),
        job,
        hash: means.disputes ? oneOf<WhichHash>("posted", "other", "delivered") : oneOf<WhichHash>("posted"),
        by: wallet,
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "finish" as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), flight: fc.nat(2) }) },
  ];
  const spans = SPANS.filter((span) => span <= means.patience);
  if (spans.length > 0) {
    steps.push({
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("pass" as const), milliseconds: oneOf(...spans) }),
    });
  }
  if (means.fresh) {
    steps.push({
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("top-up" as const), wallet, units: oneOf(100, 250, 1_000) }),
    });
  }
  if (means.fresh && means.keys) {
    const state = oneOf("active" as const, "active" as const, "revoked" as const, "suspended" as const);
    steps.push({ weight: 2, arbitrary: fc.record({ do: fc.constant("key" as const), wallet, state }) });
  }
  if (means.behaviours) steps.push({ weight: 1, arbitrary: fc.constant({ do: "models" as const }) });
  if (means.disputes && means.arbitration) {
    const verdict = oneOf("fraudulent" as const, "honest" as const);
    steps.push({ weight: 2, arbitrary: fc.record({ do: fc.constant("verdict" as const), job, verdict }) });
  }
  if (means.receiver) {
    const manners = oneOf<Manners>("badly", "recovers", "late", "hangs");
    const hook = { do: fc.constant("hook" as const), wallet };
    steps.push(
      { weight: 2, arbitrary: fc.record({ ...hook, events: oneOf(...EVENTS), manners: fc.constant("well" as const) }) },
      // Of the events whose data are shown only one names its job, by which attempts can be told apart.
      { weight: 1, arbitrary: fc.record({ ...hook, events: fc.constant(["job.completed" as const]), manners }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("unhook" as const), hook: some(3), by: wallet }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("hooks" as const), wallet }) },
    );
  }
  return shortestList(fc.oneof(...steps), 1, longest);
}
