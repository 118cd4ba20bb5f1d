/** The parties of the network. They meet in `world.ts`. */
export { type Accusing, type Conduct, colluder, conducts, type Rejoining } from "./adversaries/index.ts";
export { Arbiter } from "./arbiter.ts";
export { Books } from "./books.ts";
export { browserWorker } from "./browser-worker.ts";
export { Clients, type Population, type RequestSource } from "./client.ts";
export { both, deaf, type Ears } from "./ears.ts";
export { type EndpointClass, Endpoints } from "./endpoint.ts";
export { Gateway, INSUFFICIENT_CREDITS, NO_WORKERS } from "./gateway.ts";
export { Job, JobTable } from "./job.ts";
export { nativeWorker } from "./native-worker.ts";
export type { Manners, Retries } from "./persistence.ts";
export { Receipts } from "./receipts.ts";
export { Router } from "./router.ts";
export { type Candidate, type JobEnd, type MakePolicy, policies, type RoutingPolicy } from "./routing/index.ts";
export { type Session, Sessions } from "./sessions.ts";
export { Subscriptions } from "./subscriptions.ts";
export { type Verification, Verifier } from "./verifier.ts";
export {
  type DeliveryTransport,
  type DeliveryView,
  type SenderEars,
  WebhookSender,
  type WebhookState,
} from "./webhook-sender.ts";
export { CHANCES, Worker, type WorkerClass, Workers } from "./worker.ts";
