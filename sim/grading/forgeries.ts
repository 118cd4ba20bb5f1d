/** Deliveries that a receiver should take, and such that it should not. Each goes to a webhook whose genuine delivery was accepted. */
import type { DeliveryOutcome, DeliveryTransport, OutgoingDelivery } from "../facade/index.ts";
import type { Grade } from "./grade.ts";

/** What signs a body at a time for one webhook. */
export interface Signer {
  readonly header: string;
  readonly sign: (secret: string, unixTime: number, body: string) => string;
  readonly unixTime: () => number;
}

/** How one receiver answered. */
export interface Answers {
  readonly client: string;
  genuine: DeliveryOutcome | null;
  repeat: DeliveryOutcome | null;
  /** Each forgery by its name. */
  readonly forged: Map<string, DeliveryOutcome>;
}

export const accepted = (outcome: DeliveryOutcome | null): boolean =>
  outcome !== null && "status" in outcome && outcome.status >= 200 && outcome.status < 300;

/** Forgeries of a genuine delivery. None of them could be made by whoever knows the secret and tells the truth. */
export function forgeriesOf(
  delivery: OutgoingDelivery,
  { header, sign, unixTime }: Signer,
  secret: string,
): readonly (readonly [string, OutgoingDelivery])[] {
  const body = Buffer.from(delivery.body).toString();
  const envelope = JSON.parse(body) as { readonly data?: object };
  const altered = JSON.stringify({ ...envelope, data: { ...envelope.data, credits_charged: 0 } });
  const { [header]: genuine = "", ...unsigned } = delivery.headers;
  const withBody = (headers: Readonly<Record<string, string>>, text = body): OutgoingDelivery => ({
    ...delivery,
    headers,
    body: Buffer.from(text),
  });
  return [
    ["another body under a genuine signature", withBody({ ...unsigned, [header]: genuine }, altered)],
    ["a signature with another secret", withBody({ ...unsigned, [header]: sign(`${secret}?`, unixTime(), body) })],
    ["no signature", withBody(unsigned)],
  ];
}

/** Sends a delivery again as it was, then its forgeries, one after another, and notes what came back. */
export function tryReceiver(
  transport: DeliveryTransport,
  delivery: OutgoingDelivery,
  forgeries: readonly (readonly [string, OutgoingDelivery])[],
  answers: Answers,
): void {
  const next = (index: number): void => {
    const forgery = forgeries[index];
    if (forgery === undefined) return;
    transport(forgery[1], (outcome) => {
      answers.forged.set(forgery[0], outcome);
      next(index + 1);
    });
  };
  transport(delivery, (outcome) => {
    answers.repeat = outcome;
    next(0);
  });
}

export function webhookGrades(answers: Answers): readonly Grade[] {
  const { client } = answers;
  const told = (outcome: DeliveryOutcome | null): string =>
    outcome === null ? "no answer" : "status" in outcome ? `answered ${outcome.status}` : outcome.error;
  if (!accepted(answers.genuine)) {
    const seen = `the genuine delivery was not accepted: ${told(answers.genuine)}`;
    return (["repeat", "forgery"] as const).map((lesson) => ({ client, lesson, verdict: "not tried", seen }));
  }
  const believed = [...answers.forged].filter(([, outcome]) => accepted(outcome)).map(([name]) => name);
  const repeat = accepted(answers.repeat);
  return [
    {
      client,
      lesson: "repeat",
      verdict: answers.repeat === null ? "not shown" : repeat ? "good" : "bad",
      seen: told(answers.repeat),
    },
    {
      client,
      lesson: "forgery",
      verdict: believed.length > 0 ? "bad" : answers.forged.size === 0 ? "not shown" : "good",
      seen:
        believed.length > 0
          ? `accepted ${believed.join(", ")}`
          : answers.forged.size === 0
            ? "no answer yet"
            : `refused ${[...answers.forged.keys()].join(", ")}`,
    },
  ];
}
