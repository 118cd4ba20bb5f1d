/** What a client is graded for, and the words of a grade. */

/** The habits that a bench of clients looks for (sections 3.1, 6.3, 6.4 and 7.3). */
export const LESSONS = ["busy", "refused", "timeout", "lost", "cut", "repeat", "forgery"] as const;
export type Lesson = (typeof LESSONS)[number];

/** What was done to the client in each lesson. */
export const TOLD: { readonly [L in Lesson]: string } = {
  busy: "503 no_workers_available with `retry_after`",
  refused: "400 to a chat",
  timeout: "504 job_timeout after 120 s",
  lost: "the answer of a chat that was paid is lost",
  cut: "a stream that is paid breaks in the middle",
  repeat: "a delivery comes again",
  forgery: "a delivery is forged",
};

/** What a client should do. */
export const WANTED: { readonly [L in Lesson]: string } = {
  busy: "waits as long as it was told",
  refused: "does not send the same again",
  timeout: "asks again only once it was told",
  lost: "looks at its jobs before it pays again",
  cut: "looks at its jobs before it pays again",
  repeat: "accepts it",
  forgery: "refuses it",
};

export interface Grade {
  /** Address of the wallet whose key the client uses. */
  readonly client: string;
  readonly lesson: Lesson;
  /** `not shown`: the lesson was given, and the client did nothing that tells. `not tried`: it was never given. */
  readonly verdict: "good" | "bad" | "not shown" | "not tried";
  /** What was seen of the client, or why nothing was. */
  readonly seen: string;
}
