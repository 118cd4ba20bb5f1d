/** The addresses of a receiver and their scripts; shared by the receiver over sockets and the one in process. */
import { at } from "../exchange/exchange.ts";
import { type Arrived, arrived, withReply } from "./delivery.ts";
import type { Delivery, InProcessDelivery, ReceiverEndpoint, Reply, Script } from "./receiver.ts";
import { reply } from "./receiver.ts";

interface Open {
  readonly deliveries: Delivery[];
  script: Script;
}

/** All endpoints of a run, by path. */
export interface Endpoints {
  open(name: string, script?: Script): ReceiverEndpoint;
  listen(listener: (delivery: Delivery) => void): void;
  /** Records a delivery and chooses its reply; null when the path is nobody's. */
  take(raw: InProcessDelivery, moment: { readonly earliest: number; readonly at: number }): Reply | null;
  /** Grows with every arrival. */
  readonly count: number;
}

/** `baseUrl` has no slash at its end. */
export function makeEndpoints(baseUrl: string, brand: string): Endpoints {
  const byPath = new Map<string, Open>();
  const base = new URL(baseUrl).pathname.replace(/\/$/, "");
  const listeners: ((delivery: Delivery) => void)[] = [];
  let count = 0;
  return {
    listen: (listener) => {
      listeners.push(listener);
    },
    get count() {
      return count;
    },
    open(name, script = reply.ok()) {
      const path = `/${byPath.size + 1}-${name.replaceAll(/[^A-Za-z0-9.-]+/g, "-")}`;
      const here: Open = { deliveries: [], script };
      byPath.set(path, here);
      return {
        url: baseUrl + path,
        deliveries: here.deliveries,
        script: (next) => {
          here.script = next;
        },
        of: (event) => here.deliveries.filter((each) => each.event === event),
      };
    },
    take(raw, moment) {
      const { pathname } = new URL(raw.url, baseUrl);
      const here = byPath.get(pathname.startsWith(base) ? pathname.slice(base.length) : pathname);
      if (here === undefined) return null;
      count += 1;
      const delivery = arrived(raw, { number: count, brand, ...moment });
      const repeated = here.deliveries.findLast((earlier) => repeats(delivery, earlier));
      if (repeated !== undefined) {
        for (const listener of listeners) listener(withReply(delivery, repeated.reply));
        return repeated.reply;
      }
      const answer = choose(here.script, delivery, here.deliveries.length);
      const whole = withReply(delivery, answer);
      here.deliveries.push(whole);
      for (const listener of listeners) listener(whole);
      return answer;
    },
  };
}

/** Within so many milliseconds an event that comes again is a repeat: the shortest wait before a further attempt is 30 seconds. */
const REPEATED_WITHIN = 10_000;

/**
 * Whether a delivery tells at once again what another one told. A service may send an event more than once: such a repeat is answered as the first
 * and stands in no list, so that what is listed are the attempts of one delivery. Whoever listens is told all.
 */
function repeats(later: Arrived, earlier: Delivery): boolean {
  if (later.event === null || later.event !== earlier.event || !sameEvent(later, earlier)) return false;
  if (later.earliest - earlier.at > REPEATED_WITHIN) return false;
  // One step of a clock may hold several attempts: then the time that each was signed with tells them apart.
  if (later.at - earlier.earliest <= REPEATED_WITHIN) return true;
  if (later.signature === null || earlier.signature === null) return false;
  return Math.abs(later.signature.t - earlier.signature.t) * 1_000 <= REPEATED_WITHIN;
}

/**
 * By its id; or, where each sending has an id of its own, by what it tells of which job and when. Of events that name no job two may tell the same: a
 * balance that falls to the same number twice.
 */
function sameEvent(a: Arrived, b: Arrived): boolean {
  const same = (name: string): boolean => JSON.stringify(at(a.json, name)) === JSON.stringify(at(b.json, name));
  if (!same("data")) return false;
  return (a.eventId !== null && a.eventId === b.eventId) || (a.jobId !== null && same("created_at"));
}

function choose(script: Script, delivery: Arrived, index: number): Reply {
  if (typeof script === "function") return script(withReply(delivery, reply.ok()), index);
  if (!isList(script)) return script;
  return script[Math.min(index, script.length - 1)] ?? reply.ok();
}

const isList = (script: Script): script is readonly Reply[] => Array.isArray(script);
