/** `GET /v1/models` and `GET /v1/models/{model_id}` (sections 2.2, 4.2, 4.3). */

import { PRICES } from "../../fixtures/protocol/prices.ts";
import type { Answer } from "./http.ts";
import { type Call, type Inside, unix } from "./inside.ts";
import { notFound, type Refusal } from "./refusal.ts";

export function listModels(inside: Inside): Answer {
  const { door } = inside;
  return {
    status: 200,
    body: { object: "list", data: door.listedModels(inside).map((model) => door.modelBody(inside, model)) },
  };
}

export function getModel(inside: Inside, call: Call): Answer | Refusal {
  const { network, shape, door } = inside;
  const model = network.models.findIndex(({ id }) => id === call.id);
  if (model === -1 || (shape.unhostedModel === "not_found" && network.activeWorkers(model) === 0)) {
    return shape.unknownModelById === 404
      ? notFound(shape, "model", call.id)
      : { status: 400, code: "model_not_found", message: `There is no model ${JSON.stringify(call.id)}.` };
  }
  return { status: 200, body: door.modelBody(inside, model) };
}

export function modelBody(inside: Inside, model: number): Readonly<Record<string, unknown>> {
  const { network, brand } = inside;
  const info = network.models[model]!;
  return {
    id: info.id,
    object: "model",
    created: unix(inside, info.createdAt),
    owned_by: brand.name,
    [brand.extension]: {
      tier: info.tier,
      credits_per_request: PRICES[info.tier].perRequest,
      credits_per_1k_tokens: PRICES[info.tier].perThousand,
      active_workers: network.activeWorkers(model),
      median_latency_ms: Math.round(network.medianFirstToken(model) / 1_000),
      parameters: info.parameters,
      context_window: info.contextWindow,
    },
  };
}
