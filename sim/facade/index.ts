/** The HTTP-shaped door: what the server, the dispatcher, defects and variants stand on. */
export { CAPABILITIES, type Capability, type ClockControl, type ControlOptions } from "./controls.ts";
export type { DeliveryOutcome, DeliveryTransport, OpenAttempt, OutgoingDelivery } from "./deliveries.ts";
export { createFacadeDispatcher, type FacadeDispatcherOptions } from "./dispatcher.ts";
export { type Door, honestDoor } from "./door.ts";
export { createFacade, type Facade, type FacadeOptions, type Patience } from "./facade.ts";
export type { FacadeExchange, FacadeRequest, FacadeResponse, Middleware } from "./http.ts";
export type { Inside } from "./inside.ts";
export { type Changes, createService, type Override, type Service, type ServiceOptions } from "./service.ts";
export { defaultShape, type Shape } from "./shape.ts";
