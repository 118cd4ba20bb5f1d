/**
 * The place where world meets judge: a simulated service served in process to a run of the judge, with all controls, under the manual clock.
 * No socket, no wall clock: two runs with one seed are the same to the last byte.
 */
import {
  DEFAULTS,
  inProcessReceiver,
  type JudgeSettings,
  judge,
  PATIENCE,
  type Report,
  type TargetOptions,
} from "../conformance/index.ts";
import { MILLISECOND } from "../sim/core/index.ts";
import {
  createFacadeDispatcher,
  createService,
  type DeliveryTransport,
  type Service,
  type ServiceOptions,
} from "../sim/facade/index.ts";
import { MANUAL_EPOCH_MS } from "../sim/server/index.ts";

export interface InProcessOptions {
  /** Of the judge's draws. */
  readonly seed?: number | undefined;
  /** Of the world and of every name in it. Default: the judge's. */
  readonly worldSeed?: string | number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly runs?: number | undefined;
  readonly path?: string | undefined;
  readonly timeout?: number | undefined;
  /** What the service is besides honest, and in which world. */
  readonly service?: Pick<ServiceOptions, "overrides" | "world" | "brand" | "controls"> | undefined;
}

const BASE = "http://service.test";
const CONTROL = "http://control.test";

/** Builds a service and judges it. */
export function judgeInProcess(options: InProcessOptions = {}, settings: JudgeSettings = {}): Promise<Report> {
  const seed = options.seed ?? DEFAULTS.seed;
  const brand = options.service?.brand ?? DEFAULTS.brand;
  const receiver = inProcessReceiver({ brand });
  const deliver = transportTo(receiver, () => service);
  const service: Service = createService({
    seed: options.worldSeed ?? seed,
    epochMs: MANUAL_EPOCH_MS,
    deliver,
    ...options.service,
  });
  const target: TargetOptions = {
    baseUrl: BASE,
    keys: [],
    brand,
    control: { url: CONTROL },
    receiver: {},
    maxCredits: DEFAULTS.maxCredits,
    timeout: options.timeout ?? DEFAULTS.timeout,
    patience: PATIENCE.none,
    seed,
    runs: options.runs ?? DEFAULTS.runs,
    only: options.only ?? [],
    path: options.path,
    dispatcher: createFacadeDispatcher({ facade: service.facade, base: BASE, control: CONTROL }),
    inProcessReceiver: receiver,
  };
  return judge(target, settings);
}

/** Carries a delivery to the judge's receiver, and its answer back when it is due on the world's clock. */
function transportTo(receiver: ReturnType<typeof inProcessReceiver>, service: () => Service): DeliveryTransport {
  return (delivery, done) => {
    const { network } = service();
    const at = MANUAL_EPOCH_MS + network.now / MILLISECOND;
    const reply = receiver.deliver({ ...delivery, method: "POST", headers: Object.entries(delivery.headers), at });
    switch (reply.kind) {
      case "hang":
        return { abort() {} };
      case "drop":
        done({ error: "the connection was closed" });
        return { abort() {} };
      case "garbage":
        done({ error: "the answer is no HTTP" });
        return { abort() {} };
      case "answer": {
        const answer = (): void => done({ status: reply.status });
        if (reply.afterMs === undefined || reply.afterMs === 0) {
          answer();
          return { abort() {} };
        }
        const timer = network.after(reply.afterMs * MILLISECOND, answer);
        return { abort: () => network.cancel(timer) };
      }
    }
  };
}
