/**
 * The test controls (test-controls/1): a small API of its own that moves time, seeds wallets and makes workers misbehave. It is no part of the
 * service and lives on its own address.
 */
import { isoTime, MILLISECOND } from "../core/index.ts";
import type { Behaviour } from "../port.ts";
import {
  type Answer,
  type FacadeExchange,
  type FacadeRequest,
  type FacadeResponse,
  isObject,
  over,
  parseJson,
  parseTarget,
  send,
} from "./http.ts";
import type { Inside } from "./inside.ts";
import type { KeyState } from "./keys.ts";

export type Capability = "clock" | "wallets" | "keys" | "behaviours" | "workers" | "arbitration" | "deliveries";

export const CAPABILITIES: readonly Capability[] = [
  "clock",
  "wallets",
  "keys",
  "behaviours",
  "workers",
  "arbitration",
  "deliveries",
];

export interface ControlOptions {
  /** Those that are offered; by default all. */
  readonly capabilities?: readonly Capability[];
  /** Where it is set, requests carry it as a bearer token. */
  readonly token?: string;
}

/** How time moves. `advance` takes microseconds, and resolves when everything due until then has happened. */
export type ClockControl =
  | { readonly kind: "manual" | "offset"; advance(micros: number): Promise<void> }
  | { readonly kind: "wall" };

type OpenWallet = (units: number) => { readonly address: string; readonly wallet: number; readonly key: string };
type Body = Readonly<Record<string, unknown>>;

/** What a handler answers; a text is the message of a 400, null a 404. */
type Outcome = Answer | string | null | Promise<Answer>;

interface Control {
  readonly method: "GET" | "POST";
  /** `:` stands for any one segment. */
  readonly path: string;
  readonly capability: Capability | undefined;
  run(ids: readonly string[], body: Body): Outcome;
}

export function createControls(
  inside: Inside,
  openWallet: OpenWallet,
  clock: ClockControl,
  options: ControlOptions,
): { handle(request: FacadeRequest, response: FacadeResponse): FacadeExchange } {
  const offered = options.capabilities ?? CAPABILITIES;
  const controls = listControls(inside, openWallet, clock, offered);
  return {
    handle(request, response) {
      let gone = false;
      const reply = (answer: Answer): FacadeExchange => (gone ? over : send(response, answer));
      if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
        return reply(fault(401, "The control token is missing or wrong."));
      }
      const { segments } = parseTarget(request.target);
      const here =
        segments === undefined ? [] : controls.filter((control) => idsOf(control.path, segments) !== undefined);
      const control = here.find(({ method }) => method === request.method);
      if (control === undefined) {
        return here.length > 0
          ? reply(fault(405, `This path takes ${here.map(({ method }) => method).join(", ")}.`))
          : reply(fault(404, "There is no such control."));
      }
      const { capability } = control;
      if (capability !== undefined && !offered.includes(capability)) {
        return reply(fault(501, `The capability ${capability} is not offered here.`));
      }
      const parsed = request.body.length === 0 ? { ok: true as const, value: {} } : parseJson(request.body);
      if (!parsed.ok || !isObject(parsed.value)) return reply(fault(400, "The body is a JSON object."));
      const outcome = control.run(idsOf(control.path, segments!)!, parsed.value);
      if (!(outcome instanceof Promise)) return reply(answerOf(outcome));
      outcome.then(reply, () => reply(fault(500, "The control failed.")));
      return {
        abort() {
          gone = true;
        },
      };
    },
  };
}

const fault = (status: number, message: string): Answer => ({ status, body: { error: { message } } });

function answerOf(outcome: Answer | string | null): Answer {
  if (outcome === null) return fault(404, "There is no such object.");
  return typeof outcome === "string" ? fault(400, outcome) : outcome;
}

/** The segments that stand where the path has a `:`, or undefined where it is another path. */
function idsOf(path: string, segments: readonly string[]): string[] | undefined {
  const parts = path.split("/").slice(1);
  const fits = parts.length === segments.length && parts.every((part, i) => part === ":" || part === segments[i]);
  return fits ? segments.filter((_, i) => parts[i] === ":") : undefined;
}

function listControls(
  inside: Inside,
  openWallet: OpenWallet,
  clock: ClockControl,
  offered: readonly Capability[],
): readonly Control[] {
  const { network, keys, jobs, webhooks, deliveries, outputTokens } = inside;
  const now = (): Answer => ({ status: 200, body: { now: isoTime(inside.epochMs, network.now) } });
  const modelOf = (id: unknown): number => network.models.findIndex((model) => model.id === id);
  const find = (id: string): readonly ReturnType<typeof deliveries.of>[number][] | null => {
    const webhook = webhooks.find(id);
    return webhook === undefined ? null : deliveries.of(webhook);
  };

  return [
    {
      method: "GET",
      path: "/v1/capabilities",
      capability: undefined,
      run: () => ({
        status: 200,
        body: {
          protocol: "test-controls/1",
          capabilities: offered,
          clock: clock.kind,
          low_credit_threshold: inside.rules.lowCreditThreshold,
        },
      }),
    },
    { method: "GET", path: "/v1/clock", capability: "clock", run: now },
    {
      method: "POST",
      path: "/v1/clock/advance",
      capability: "clock",
      run(_, { milliseconds }) {
        if (clock.kind === "wall") return fault(501, "This clock follows the wall and cannot be advanced.");
        if (!isCount(milliseconds, 1)) return "milliseconds is an integer >= 1.";
        return clock.advance(milliseconds * MILLISECOND).then(now);
      },
    },
    {
      method: "POST",
      path: "/v1/wallets",
      capability: "wallets",
      run(_, { credits }) {
        if (!isCount(credits, 0)) return "credits is an integer >= 0.";
        const { address, wallet, key } = openWallet(credits);
        return { status: 201, body: { wallet: address, api_key: key, credits_remaining: network.available(wallet) } };
      },
    },
    {
      method: "POST",
      path: "/v1/wallets/:/topups",
      capability: "wallets",
      run([address], { credits }) {
        const wallet = inside.wallets.get(address!.toLowerCase());
        if (wallet === undefined) return null;
        if (!isCount(credits, 100)) return "credits is an integer >= 100.";
        network.topUp(wallet, credits);
        return { status: 201, body: { credits_remaining: network.available(wallet) } };
      },
    },
    {
      method: "POST",
      path: "/v1/keys/state",
      capability: "keys",
      run(_, { api_key, state }) {
        if (typeof api_key !== "string") return "api_key is a string.";
        if (state !== "active" && state !== "revoked" && state !== "suspended") {
          return "state is active, revoked or suspended.";
        }
        const key = keys.find(api_key);
        if (key === undefined) return null;
        key.state = state satisfies KeyState;
        return { status: 200, body: { state } };
      },
    },
    {
      method: "POST",
      path: "/v1/models/:/behaviour",
      capability: "behaviours",
      run([id], { behaviour, output_tokens }) {
        const model = modelOf(id);
        if (model === -1) return null;
        if (!isBehaviour(behaviour)) return `behaviour is one of ${BEHAVIOURS.join(", ")}.`;
        if (output_tokens !== undefined && !isCount(output_tokens, 1)) return "output_tokens is an integer >= 1.";
        network.setBehaviour(model, behaviour);
        if (output_tokens === undefined) outputTokens.delete(model);
        else outputTokens.set(model, output_tokens);
        return { status: 200, body: { behaviour } };
      },
    },
    {
      method: "POST",
      path: "/v1/workers",
      capability: "workers",
      run(_, { kind, models }) {
        if (kind !== "native" && kind !== "browser") return "kind is native or browser.";
        if (!Array.isArray(models) || models.length === 0) return "models is an array of model ids.";
        const served = models.map(modelOf);
        if (served.includes(-1)) return null;
        return { status: 201, body: { worker_address: network.workerAddress(network.registerWorker(kind, served)) } };
      },
    },
    {
      method: "POST",
      path: "/v1/disputes/:/verdict",
      capability: "arbitration",
      run([id], { verdict }) {
        if (verdict !== "fraudulent" && verdict !== "honest") return "verdict is fraudulent or honest.";
        const record = jobs.find(id!);
        return record !== undefined && network.verdict(record.job, verdict) ? { status: 200, body: { verdict } } : null;
      },
    },
    {
      method: "GET",
      path: "/v1/webhooks/:/deliveries",
      capability: "deliveries",
      run([id]) {
        const data = find(id!)?.map(({ id, eventId, event, attempts, state }) => ({
          id,
          event_id: eventId,
          event: event.event,
          attempts,
          state,
        }));
        return data === undefined ? null : { status: 200, body: { data } };
      },
    },
    {
      method: "POST",
      path: "/v1/webhooks/:/deliveries/:/replay",
      capability: "deliveries",
      run([id, which]) {
        const delivery = find(id!)?.find((one) => one.id === which);
        if (delivery === undefined) return null;
        deliveries.replay(delivery);
        return { status: 202, body: {} };
      },
    },
  ];
}

const BEHAVIOURS: readonly Behaviour[] = ["normal", "silent", "failing", "dishonest", "absent"];
const isBehaviour = (value: unknown): value is Behaviour => BEHAVIOURS.includes(value as Behaviour);
const isCount = (value: unknown, least: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least;
