/** The typed client of the test controls, over any way of sending a request. */
import { ConformError, Stop } from "../errors.ts";
import type { ClockKind } from "./clock.ts";
import { CAPABILITIES, type Capability, type Controls, type DeliveryRecord, type MadeWallet } from "./controls.ts";
import type { ClockPort } from "./make-clock.ts";

/** Sends one request to the control address; `path` begins with `/v1`. `status` 0 means that no answer came, for the reason in `error`. */
export type ControlTransport = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly json: unknown; readonly error: string | null }>;

/** What a deployment's controls offer. */
export interface ControlDoor {
  readonly controls: Controls;
  readonly clockKind: ClockKind;
  /** Null when the capability `clock` is missing. */
  readonly clock: ClockPort | null;
}

const DEFAULT_THRESHOLD = 100;

/** A deployment without controls: every call ends the case as not exercised. */
export const NO_CONTROLS: ControlDoor = {
  controls: makeControls(new Set(), DEFAULT_THRESHOLD, () => Promise.reject(new Error("there are no controls"))),
  clockKind: "none",
  clock: null,
};

/** Asks for the capabilities. Throws `ConformError` when the address speaks no test-controls/1. */
export async function openControls(transport: ControlTransport, where: string): Promise<ControlDoor> {
  const answer = await transport("GET", "/v1/capabilities");
  const json = answer.json as { protocol?: unknown; capabilities?: unknown; clock?: unknown } | undefined;
  if (answer.status !== 200 || json?.protocol !== "test-controls/1" || !Array.isArray(json.capabilities)) {
    throw new ConformError({
      what: "The control address does not speak test-controls/1.",
      where: `--control ${where}`,
      seen: answer.status === 0 ? answer.error : { status: answer.status, body: answer.json ?? null },
      expected: "200 with `protocol` test-controls/1 and `capabilities`",
      hint:
        answer.status === 401 || answer.status === 403
          ? "give the deployment's token: --control-token"
          : "check the address and the port of the controls; they are not the service's own",
    });
  }
  const named: unknown[] = json.capabilities;
  const capabilities = new Set(CAPABILITIES.filter((each) => named.includes(each)));
  const threshold = (json as { low_credit_threshold?: unknown }).low_credit_threshold;
  return {
    controls: makeControls(capabilities, typeof threshold === "number" ? threshold : DEFAULT_THRESHOLD, transport),
    clockKind: capabilities.has("clock") ? clockKindFrom(json.clock) : "none",
    clock: capabilities.has("clock") ? clockPort(transport) : null,
  };
}

function clockKindFrom(value: unknown): ClockKind {
  return value === "manual" || value === "offset" ? value : "wall";
}

function clockPort(transport: ControlTransport): ClockPort {
  const read = (answer: { status: number; json: unknown; error: string | null }, what: string): number => {
    const now = (answer.json as { now?: unknown } | undefined)?.now;
    const time = typeof now === "string" ? Date.parse(now) : Number.NaN;
    if (answer.status === 200 && Number.isFinite(time)) return time;
    throw new Stop("inconclusive", `${what} failed: ${said(answer)}`);
  };
  return {
    read: async () => read(await transport("GET", "/v1/clock"), "reading the service's clock"),
    advance: async (milliseconds) =>
      read(await transport("POST", "/v1/clock/advance", { milliseconds }), "advancing the service's clock"),
  };
}

function said(answer: { status: number; json: unknown; error: string | null }): string {
  if (answer.status === 0) return answer.error ?? "no answer";
  const message = (answer.json as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === "string" ? `${answer.status} ${message}` : `status ${answer.status}`;
}

function makeControls(
  capabilities: ReadonlySet<Capability>,
  lowCreditThreshold: number,
  transport: ControlTransport,
): Controls {
  const ask = async (needs: Capability, method: string, path: string, body?: unknown): Promise<unknown> => {
    if (!capabilities.has(needs)) throw new Stop("not-exercised", `needs the test control \`${needs}\` (--control)`);
    const answer = await transport(method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer.json;
    throw new Stop("inconclusive", `the test control ${method} ${path} failed: ${said(answer)}`);
  };
  const segment = encodeURIComponent;
  return {
    capabilities,
    lowCreditThreshold,
    has: (capability) => capabilities.has(capability),
    makeWallet: async (credits) => (await ask("wallets", "POST", "/v1/wallets", { credits })) as MadeWallet,
    topUp: async (wallet, credits) => {
      const path = `/v1/wallets/${segment(wallet)}/topups`;
      return ((await ask("wallets", "POST", path, { credits })) as { credits_remaining: number }).credits_remaining;
    },
    setKeyState: async (key, state) => {
      await ask("keys", "POST", "/v1/keys/state", { api_key: key, state });
    },
    setBehaviour: async (model, behaviour, outputTokens) => {
      const body = outputTokens === undefined ? { behaviour } : { behaviour, output_tokens: outputTokens };
      await ask("behaviours", "POST", `/v1/models/${segment(model)}/behaviour`, body);
    },
    addWorker: async (kind, models) =>
      ((await ask("workers", "POST", "/v1/workers", { kind, models })) as { worker_address: string }).worker_address,
    giveVerdict: async (jobId, verdict) => {
      await ask("arbitration", "POST", `/v1/disputes/${segment(jobId)}/verdict`, { verdict });
    },
    deliveries: async (webhookId) => {
      const path = `/v1/webhooks/${segment(webhookId)}/deliveries`;
      return ((await ask("deliveries", "GET", path)) as { data: readonly DeliveryRecord[] }).data;
    },
    replay: async (webhookId, deliveryId) => {
      const path = `/v1/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}/replay`;
      await ask("deliveries", "POST", path);
    },
  };
}
