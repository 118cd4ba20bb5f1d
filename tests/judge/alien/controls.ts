/** The alien's test controls, as far as its choices let it have them. */
import { type Asked, Refusal, type Reply } from "./http.ts";
import type { Behaviour } from "./state.ts";
import type { World } from "./world.ts";

const BEHAVIOURS = ["normal", "silent", "failing", "dishonest", "absent"];

export async function control(world: World, asked: Asked, token: string | null): Promise<Reply> {
  if (token !== null && asked.authorization !== `Bearer ${token}`) throw new Refusal(401, "", "Which token?");
  const [, version, what, ...rest] = asked.path.split("/").map(decodeURIComponent);
  if (version !== "v1") throw new Refusal(404, "", "There is no such control.");
  const body = asked.body === "" ? {} : parse(asked.body);
  switch (`${asked.method} ${what}`) {
    case "GET capabilities":
      return capabilities(world);
    case "GET clock":
      may(world, "clock");
      return ok({ now: new Date(world.time.now()).toISOString() });
    case "POST clock":
      return await advance(world, body);
    case "POST wallets":
      may(world, "wallets");
      return rest.length === 0 ? makeWallet(world, body) : topUp(world, rest[0] ?? "", body);
    case "POST keys":
      return keyState(world, body);
    case "POST models":
      return behave(world, rest[0] ?? "", body);
    case "POST workers":
      may(world, "workers");
      return { status: 201, body: { worker_address: world.addWorker(String(body.kind), body.models as string[]) } };
    case "POST disputes":
      return verdict(world, rest[0] ?? "", body);
    case "GET webhooks":
    case "POST webhooks":
      return deliveries(world, asked, rest);
    default:
      throw new Refusal(404, "", "There is no such control.");
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body });

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Refusal(400, "", "The body is no JSON.");
  }
}

function may(world: World, capability: World["choices"]["capabilities"][number]): void {
  if (!world.choices.capabilities.includes(capability)) throw new Refusal(501, "", `There is no ${capability} here.`);
}

function capabilities({ choices }: World): Reply {
  return ok({
    ...{ protocol: "test-controls/1", capabilities: choices.capabilities, clock: choices.clock },
    low_credit_threshold: choices.threshold,
  });
}

async function advance(world: World, { milliseconds }: Record<string, unknown>): Promise<Reply> {
  if (world.choices.clock === "wall") throw new Refusal(501, "", "Time flows here.");
  may(world, "clock");
  if (typeof milliseconds !== "number" || !Number.isInteger(milliseconds) || milliseconds < 1) {
    throw new Refusal(400, "", "How many milliseconds?");
  }
  const patience = { left: 500 };
  await world.hooks.quiet(patience);
  const now = await world.time.advance(milliseconds, () => world.hooks.quiet(patience));
  return ok({ now: new Date(now).toISOString() });
}

function makeWallet(world: World, { credits }: Record<string, unknown>): Reply {
  if (typeof credits !== "number" || credits < 0) throw new Refusal(400, "", "How many credits?");
  const wallet = world.makeWallet(credits);
  return { status: 201, body: { wallet: wallet.address, api_key: wallet.key, credits_remaining: credits } };
}

function topUp(world: World, address: string, { credits }: Record<string, unknown>): Reply {
  const wallet = [...world.wallets.values()].find((each) => each.address === address);
  if (wallet === undefined) throw new Refusal(404, "", "There is no such wallet.");
  if (typeof credits !== "number" || credits < 100) throw new Refusal(400, "", "At least 100 credits.");
  world.topUp(wallet, credits);
  return { status: 201, body: { credits_remaining: world.money.shown(wallet) } };
}

function keyState(world: World, { api_key: key, state }: Record<string, unknown>): Reply {
  may(world, "keys");
  const wallet = world.wallets.get(String(key));
  if (wallet === undefined) throw new Refusal(404, "", "There is no such key.");
  if (state !== "active" && state !== "revoked" && state !== "suspended") throw new Refusal(400, "", "Which state?");
  wallet.state = state;
  wallet.stateAt = world.time.now();
  if (state === "revoked") wallet.wasRevoked = true;
  if (state === "suspended") wallet.wasSuspended = true;
  return ok({ state });
}

function behave(world: World, id: string, { behaviour, output_tokens: tokens }: Record<string, unknown>): Reply {
  may(world, "behaviours");
  const model = world.models.get(id);
  if (model === undefined) throw new Refusal(404, "", "There is no such model.");
  if (!BEHAVIOURS.includes(String(behaviour))) throw new Refusal(400, "", "Which behaviour?");
  if (model.behaviour === "absent" && behaviour !== "absent") model.backAt = world.time.now();
  model.behaviour = behaviour as Behaviour;
  model.tokens = typeof tokens === "number" ? tokens : null;
  return ok({ behaviour });
}

function verdict(world: World, id: string, { verdict: given }: Record<string, unknown>): Reply {
  may(world, "arbitration");
  const job = world.jobs.byId.get(id);
  if (job?.dispute == null || job.dispute.verdict !== null) throw new Refusal(404, "", "There is no such dispute.");
  if (given !== "fraudulent" && given !== "honest") throw new Refusal(400, "", "Which verdict?");
  world.jobs.verdict(job, given);
  return ok({ verdict: given });
}

function deliveries(world: World, asked: Asked, [id, , delivery]: readonly string[]): Reply {
  may(world, "deliveries");
  const hook = world.hooks.all.find((each) => each.id === id);
  if (hook === undefined) throw new Refusal(404, "", "There is no such webhook.");
  if (asked.method === "GET") {
    const data = hook.deliveries.map(({ id: own, eventId, event, attempts, state }) => ({
      ...{ id: own, event_id: eventId, event, attempts, state },
    }));
    return ok({ data });
  }
  const found = hook.deliveries.find((each) => each.id === delivery);
  if (found === undefined) throw new Refusal(404, "", "There is no such delivery.");
  world.hooks.replay(hook, found);
  return { status: 202, body: {} };
}
