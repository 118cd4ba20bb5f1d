/** Defects of which all but some requests show nothing: for one tier only, in one form only, after something that has nothing to do with them. */
import type { Changes } from "../facade/index.ts";
import type { Inside } from "../facade/inside.ts";
import { type Body, requests } from "../facade/overrides.ts";
import { boundary } from "./defect.ts";

type Tier = Inside["network"]["models"][number]["tier"];

/** Changes what chats with models of one tier say before they are looked at. */
const chatsOf = (tier: Tier, change: (body: Body) => Body): Changes =>
  requests((body, _, { network }) =>
    network.models.some((model) => model.id === body.model && model.tier === tier) ? change(body) : body,
  );

export const forOneTier = [
  boundary(
    "bound-of-pro-unchecked",
    "4.1/7",
    "A `max_tokens` that is a text is taken for a number by models of the tier `pro`",
    chatsOf("pro", (body) => (typeof body.max_tokens === "string" ? { ...body, max_tokens: 16 } : body)),
  ),
  boundary(
    "roles-of-streams-of-standard-unchecked",
    "4.1/3",
    "A stream of a model of the tier `standard` may have messages of any role",
    chatsOf("standard", (body) =>
      body.stream === true && Array.isArray(body.messages)
        ? { ...body, messages: body.messages.map((each) => knownRole(each)) }
        : body,
    ),
  ),
  boundary(
    "penalty-of-max-refused-at-two",
    "4.1/12",
    "Models of the tier `max` refuse a `presence_penalty` of 2",
    chatsOf("max", (body) => (body.presence_penalty === 2 ? { ...body, presence_penalty: 2.1 } : body)),
  ),
  boundary(
    "stops-of-standard-unheeded",
    "4.1/11",
    "Models of the tier `standard` heed a single `stop` and no list of them",
    chatsOf("standard", (body) => (Array.isArray(body.stop) ? { ...body, stop: undefined } : body)),
  ),
];

function knownRole(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("role" in message)) return message;
  return typeof message.role === "string" ? { ...message, role: "user" } : message;
}
