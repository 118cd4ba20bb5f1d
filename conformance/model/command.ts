/**
 * The steps of a sequence, as plain data. Wallets, models, jobs and webhooks are named by number, taken modulo how many there are: a sequence
 * stays meaningful whatever is taken out of it, which is what makes it shrink.
 */
import type { EventName } from "../../fixtures/protocol/index.ts";
import type { Behaviour, KeyState, Verdict } from "../target/controls.ts";

/** A request for a completion, and what its workers are told to do with it. */
export interface ChatStep {
  readonly do: "chat";
  readonly wallet: number;
  readonly model: number;
  readonly stream: boolean;
  readonly worker: Behaviour;
  /** Tokens that the model says by itself; null leaves it to the service. */
  readonly says: number | null;
  /** `max_tokens`; null leaves it out. */
  readonly most: number | null;
  readonly stop: boolean;
  /** Whether the answer is waited for; else the steps that follow come while it is in flight. */
  readonly wait: boolean;
}

/** Whose hash a dispute brings: the one that was posted, that of the text that was delivered, or another. */
export type WhichHash = "posted" | "delivered" | "other";

/** How an endpoint answers deliveries. */
export type Manners = "well" | "badly" | "late" | "hangs" | "recovers";

export type Command =
  | ChatStep
  /** The client of a request in flight closes the connection. */
  | { readonly do: "leave"; readonly flight: number }
  /** Waits for everything in flight. */
  | { readonly do: "finish" }
  | { readonly do: "top-up"; readonly wallet: number; readonly units: number }
  | { readonly do: "key"; readonly wallet: number; readonly state: KeyState }
  | { readonly do: "read"; readonly job: number; readonly by: number }
  | {
      readonly do: "list";
      readonly wallet: number;
      readonly limit: number | null;
      readonly status: string | null;
      readonly model: number | null;
    }
  | { readonly do: "models" }
  | { readonly do: "dispute"; readonly job: number; readonly hash: WhichHash; readonly by: number }
  | { readonly do: "verdict"; readonly job: number; readonly verdict: Verdict }
  | { readonly do: "hook"; readonly wallet: number; readonly events: readonly EventName[]; readonly manners: Manners }
  | { readonly do: "unhook"; readonly hook: number; readonly by: number }
  | { readonly do: "hooks"; readonly wallet: number }
  | { readonly do: "pass"; readonly milliseconds: number };

/** One step in a few words, for the finding. */
export function inWords(step: Command): string {
  switch (step.do) {
    case "chat":
      return chatInWords(step);
    case "leave":
      return "the client of a request in flight leaves";
    case "finish":
      return "everything in flight is waited for";
    case "top-up":
      return `wallet ${step.wallet} buys ${step.units}`;
    case "key":
      return `key ${step.wallet} becomes ${step.state}`;
    case "read":
      return `wallet ${step.by} reads job ${step.job}`;
    case "list": {
      const filters = [
        step.limit === null ? "" : ` limit ${step.limit}`,
        step.status === null ? "" : ` status ${step.status}`,
        step.model === null ? "" : ` model ${step.model}`,
      ];
      return `wallet ${step.wallet} pages through its jobs${filters.join("")}`;
    }
    case "models":
      return "the models are listed";
    case "dispute":
      return `wallet ${step.by} disputes job ${step.job} with ${step.hash === "other" ? "another" : `the ${step.hash}`} hash`;
    case "verdict":
      return `the verdict on job ${step.job} is ${step.verdict}`;
    case "hook":
      return `wallet ${step.wallet} makes a webhook for ${step.events.join(", ")}, which answers ${step.manners}`;
    case "unhook":
      return `wallet ${step.by} deletes webhook ${step.hook}`;
    case "hooks":
      return `wallet ${step.wallet} lists its webhooks`;
    case "pass":
      return `${step.milliseconds / 1_000} s pass`;
  }
}

function chatInWords(step: ChatStep): string {
  const details = [
    step.stream ? "streamed" : null,
    step.most === null ? "no max_tokens" : `max_tokens ${step.most}`,
    step.says === null ? null : `${step.says} tokens long`,
    step.stop ? "with stop" : null,
    step.worker === "normal" ? null : `workers ${step.worker}`,
    step.wait ? null : "not waited for",
  ];
  return `wallet ${step.wallet} chats on model ${step.model} (${details.filter((each) => each !== null).join(", ")})`;
}
