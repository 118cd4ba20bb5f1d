/**
 * The simulated service on real sockets: its API on one port, its test controls, where asked for, on another.
 */
import type { AddressInfo } from "node:net";
import { AssayError } from "../core/index.ts";
import {
  type ControlOptions,
  createService,
  type DeliveryTransport,
  type Facade,
  type Override,
  type Service,
  type ServiceOptions,
} from "../facade/index.ts";
import { createHttpsDelivery, type HttpsDeliveryOptions } from "./deliver.ts";
import { createEdge, type Edge } from "./edge.ts";
import { type ClockMode, createPace, type Pace } from "./pace.ts";
import { openSettlement, type SettlementOptions } from "./settlement.ts";
import { wallClock, withinWall } from "./wall-clock.ts";

export interface ServeOptions
  extends Omit<ServiceOptions, "deliver" | "clock" | "epochMs" | "controls">,
    Pick<SettlementOptions, "chain" | "rpc"> {
  /** 0 takes any free port. Default 8080. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  readonly mode?: ClockMode;
  /** Virtual seconds a real second, in real mode; default 1. */
  readonly speed?: number;
  /** Unix time in milliseconds of the start of the run: now, or the fixed epoch of the manual clock. */
  readonly epochMs?: number;
  /** Port of the test controls; without it there are none. 0 takes any free port. */
  readonly controlPort?: number;
  readonly controls?: ControlOptions;
  /** Port of the settlement chain's JSON-RPC; without it there is none. 0 takes any free port. */
  readonly chainPort?: number | undefined;
  /** Told when a chain that is not in memory has failed: from then on time stands still. */
  readonly onChainFailure?: ((error: unknown) => void) | undefined;
  /** What the controls call a real clock: `offset`, which can be made to jump, or `wall`. Default `offset`. */
  readonly clockOffered?: "offset" | "wall";
  readonly webhooks?: HttpsDeliveryOptions;
  /** Told of every exchange: method, path without its query, status, bytes of the answer. Never of a header or a body. */
  readonly onExchange?: (exchange: { method: string; path: string; status: number; bytes: number }) => void;
}

export interface Serving {
  /** `http://127.0.0.1:8080` */
  readonly base: string;
  /** Base address of the test controls. */
  readonly control: string | undefined;
  /** Address of the settlement chain's JSON-RPC. */
  readonly chain: string | undefined;
  readonly service: Service;
  /** Takes no further connections, finishes what is in flight, and closes. */
  stop(): Promise<void>;
}

/** Start of a run whose clock is manual: the same for every run, so that equal seeds give equal bytes. */
export const MANUAL_EPOCH_MS = Date.UTC(2026, 5, 1);

/** How long a stopping server waits for webhook receivers, real milliseconds. */
const LAST_PATIENCE = 2_000;

/** Starts serving. Resolves once the ports are open. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { port = 8080, host = "127.0.0.1", mode = "real", speed = 1, controlPort, chainPort } = options;
  const wall = wallClock;
  let service: Service | undefined;
  const facade = (): Facade => service!.facade;
  const pacing = { facade, wall, mode, speed, onFailure: options.onChainFailure };
  const { pace, clock } = createPace(pacing, options.clockOffered ?? "offset");
  const https = createHttpsDelivery(options.webhooks);
  const epochMs = options.epochMs ?? (mode === "manual" ? MANUAL_EPOCH_MS : wall.unixMs());
  const settlement = await openSettlement({ ...options, epochMs }, facade);
  const { behind } = settlement;
  const onChain: Override[] = behind === undefined ? [] : [{ world: () => ({ behind }) }];
  const overrides = [...onChain, ...(options.overrides ?? [])];
  service = createService({ ...options, overrides, epochMs, clock, deliver: paced(https, pace) });

  const { onExchange } = options;
  const api = createEdge({ onExchange, handle: pacedHandle(facade().handle, pace) });
  const control = createEdge({ onExchange, handle: pacedHandle(facade().controls.handle, pace) });
  const chain =
    chainPort === undefined
      ? undefined
      : createEdge({ onExchange, handle: pacedHandle(await settlement.handler(service), pace) });
  const edges: Edge[] = [];
  try {
    edges.push(await listen(api, host, port));
    if (controlPort !== undefined) edges.push(await listen(control, host, controlPort));
    if (chain !== undefined) edges.push(await listen(chain, host, chainPort ?? 0));
  } catch (error) {
    await Promise.all([...edges, settlement].map((open) => open.close()));
    throw error;
  }
  pace.arm();

  return {
    base: addressOf(api),
    control: controlPort === undefined ? undefined : addressOf(control),
    chain: chain && addressOf(chain),
    service,
    async stop() {
      const closed = Promise.all(edges.map((edge) => edge.close()));
      if (mode === "manual") await finishByHand(facade(), api);
      await closed;
      pace.stop();
      await withinWall(
        wall,
        LAST_PATIENCE,
        Promise.all(
          facade()
            .inside.deliveries.awaited()
            .map((one) => one.answered),
        ),
      );
      await https.close();
      await settlement.close();
    },
  };
}

type Handle = Facade["handle"];

function pacedHandle(handle: Handle, pace: Pace): Handle {
  return (request, response) => {
    pace.sync();
    const exchange = handle(request, response);
    pace.arm();
    return exchange;
  };
}

function paced(transport: DeliveryTransport, pace: Pace): DeliveryTransport {
  return (delivery, done) =>
    transport(delivery, (outcome) => {
      pace.sync();
      done(outcome);
      pace.arm();
    });
}

/** Moves a manual clock until everything in flight is answered: nobody else is going to. */
async function finishByHand(facade: Facade, edge: Edge): Promise<void> {
  const { network } = facade.inside;
  while (edge.open > 0 && network.nextDue() !== Infinity) {
    await facade.advanceTo(network.nextDue());
    // Answers are written and connections closed by the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function listen(edge: Edge, host: string, port: number): Promise<Edge> {
  return new Promise((resolve, reject) => {
    edge.server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        new AssayError({
          what: "The port cannot be opened.",
          where: `${host}:${port}`,
          seen: error.code ?? error.message,
          expected: "a free port of this machine",
          hint: "choose another with --port or --control-port; 0 takes any free one",
        }),
      );
    });
    edge.server.listen({ host, port, backlog: 4096 }, () => resolve(edge));
  });
}

function addressOf(edge: Edge): string {
  const { address, port, family } = edge.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
