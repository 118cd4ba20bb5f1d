/**
 * A whole simulated service: the launch network of `default-world.ts` (or any other), its door, and what defects and variants change of either.
 */
import { defaultWorld } from "../default-world.ts";
import { createNetwork } from "../network-port.ts";
import type { Network } from "../port.ts";
import { honestRules, type Rules } from "../rules.ts";
import { createWorld, type World, type WorldOptions } from "../world.ts";
import type { Door } from "./door.ts";
import { createFacade, type Facade, type FacadeOptions } from "./facade.ts";
import type { Middleware } from "./http.ts";
import type { Shape } from "./shape.ts";

/**
 * What makes a service another than the honest one. Everything is a function of the honest thing, called once a service, so that whatever an
 * override remembers belongs to one service.
 */
export interface Override {
  readonly shape?: Partial<Shape>;
  readonly rules?: (honest: Rules) => Partial<Rules>;
  readonly door?: (honest: Door) => Partial<Door>;
  /** Between the door and the world. */
  readonly network?: (honest: Network) => Network;
  /** Between the client and the door. `network` is the one that the door sees. */
  readonly middleware?: (network: Network) => Middleware;
}

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
  const { overrides = [], world: worldOf = defaultWorld, ...rest } = options;
  const rules = overrides.reduce<Rules>((honest, { rules }) => ({ ...honest, ...rules?.(honest) }), honestRules);
  const world = createWorld(worldOf(options.seed, { rules }));
  const network = overrides.reduce<Network>((honest, { network }) => network?.(honest) ?? honest, createNetwork(world));
  const facade = createFacade({
    ...rest,
    network,
    rules,
    shape: Object.assign({}, ...overrides.map(({ shape }) => shape)),
    door: (honest) => overrides.reduce<Door>((door, override) => ({ ...door, ...override.door?.(door) }), honest),
    middleware: overrides.flatMap(({ middleware }) => (middleware === undefined ? [] : [middleware(network)])),
  });
  return { facade, network, world };
}
