/** The real-time edge: the simulated service on sockets. */
export { createHttpsDelivery, type HttpsDeliveryOptions } from "./deliver.ts";
export type { ClockMode } from "./pace.ts";
export { MANUAL_EPOCH_MS, type ServeOptions, type Serving, serve } from "./serve.ts";
export { wallClock } from "./wall-clock.ts";
