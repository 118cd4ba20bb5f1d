/**
 * A whole simulated service: the launch network of `default-world.ts` (or any other), its door, and what defects and variants change of either.
 */
import { defaultWorld } from "../default-world.ts";
import { createNetwork } from "../network-port.ts";
import type { Network } from "../port.ts";
import { honestRules, type Rules } from "../rules.ts";
import { createWorld, type World, type WorldOptions } from "../world.ts";

import { type DeliveryTransport, nowhere } from "./deliveries.ts";
import type { Door } from "./door.ts";
import { createFacade, type Facade, type FacadeOptions } from "./facade.ts";
import type { Middleware } from "./http.ts";
import type { Inside } from "./inside.ts";
import type { Shape } from "./shape.ts";

/** What makes a service another than the honest one: each entry replaces part of what it is given. */
export interface Changes {
  readonly shape?: Partial<Shape>;
  readonly rules?: (honest: Rules) => Partial<Rules>;
  /** Other parties or another chain; its rules are those of `rules`. */
  readonly world?: (honest: WorldOptions) => Partial<WorldOptions>;
  readonly door?: (honest: Door) => Partial<Door>;
  /** Between the door and the world. */
  readonly network?: (honest: Network) => Network;
  /** Between the client and the door. */
  readonly middleware?: (inside: Inside) => Middleware;
  /** Between the door and whatever brings webhook deliveries to their receivers. */
  readonly deliver?: (honest: DeliveryTransport) => DeliveryTransport;
}

/** Changes, or a function that makes them: called once a service, so that what they remember belongs to one service. */
export type Override = Changes | (() => Changes);

export interface ServiceOptions extends Omit<FacadeOptions, "network" | "rules" | "door" | "middleware" | "shape"> {
  readonly overrides?: readonly Override[];
  /** Default: `defaultWorld`. Its rules are those of the overrides. */
  readonly world?: (seed: string | number, changes: Partial<WorldOptions>) => WorldOptions;
}

export interface Service {
  readonly facade: Facade;
  readonly network: Network;
  readonly world: World;
}

/** Builds a service. Nothing has happened in it yet but the registration of its workers. */
export function createService(options: ServiceOptions): Service {
  const { overrides: given = [], world: worldOf = defaultWorld, deliver: transport = nowhere, ...rest } = options;
  const overrides = given.map((override) => (typeof override === "function" ? override() : override));
  const rules = changed(
    honestRules,
    overrides.map((change) => change.rules),
  );
  const parties = changed(
    worldOf(options.seed, { rules }),
    overrides.map((change) => change.world),
  );
  const world = createWorld({ ...parties, rules });
  const network = overrides.reduce<Network>((honest, { network }) => network?.(honest) ?? honest, createNetwork(world));
  const facade = createFacade({
    ...rest,
    network,
    rules,
    shape: Object.assign({}, ...overrides.map(({ shape }) => shape)),
    door: (honest) =>
      changed(
        honest,
        overrides.map((change) => change.door),
      ),
    middleware: overrides.flatMap(({ middleware }) => middleware ?? []),
    deliver: overrides.reduce<DeliveryTransport>((honest, { deliver }) => deliver?.(honest) ?? honest, transport),
  });
  return { facade, network, world };
}

/** A record with each of the changes made to what the one before left. */
function changed<T extends object>(honest: T, changes: readonly (((honest: T) => Partial<T>) | undefined)[]): T {
  let result = honest;
  for (const change of changes) result = { ...result, ...change?.(result) };
  return result;
}
