/** From `network` and the faults of links in a scenario to the plan of its network. */
import {
  type ClockSpec,
  LINK_CLASSES,
  Link,
  type LinkClass,
  type LinkSpec,
  type LinkTrouble,
} from "../network/index.ts";
import type { Context } from "./context.ts";
import { spanOf } from "./faults.ts";
import type { ScenarioClock, ScenarioFault, ScenarioLink } from "./scenario.ts";
import type { Path } from "./source.ts";

export interface ScenarioNetworkPlan {
  readonly links: Readonly<Partial<Record<LinkClass, LinkSpec>>>;
  /** With their places in the scenario's list of faults. */
  readonly troubles: readonly (LinkTrouble & { readonly place: number })[];
}

/** Undefined where the scenario says nothing of a network: messages take no time then. */
export function networkPlan(context: Context): ScenarioNetworkPlan | undefined {
  const { scenario, reader } = context;
  const links: Partial<Record<LinkClass, LinkSpec>> = {};
  for (const link of LINK_CLASSES) {
    const written = scenario.network?.[link];
    if (written === undefined) continue;
    links[link] = specOf(written);
    // Made once, so that a wrong word is said with its place.
    new Link(links[link], context.seed, link, reader.source.where(["network", link]));
  }
  const troubles = (scenario.faults ?? []).flatMap((fault, place) => troublesOf(context, fault, place));
  return Object.keys(links).length === 0 && troubles.length === 0 ? undefined : { links, troubles };
}

function specOf(written: ScenarioLink): LinkSpec {
  const { delay = 0, jitter, loss, resend_after, duplication, ordered, bandwidth } = written;
  const kilobyte = 1_000;
  return {
    delay,
    jitter,
    loss,
    resendAfter: resend_after,
    duplication,
    ordered,
    bandwidth: bandwidth === undefined ? undefined : Math.round(bandwidth * kilobyte),
  };
}

function troublesOf(context: Context, fault: ScenarioFault, place: number): (LinkTrouble & { place: number })[] {
  const { reader, scenario } = context;
  const path = ["faults", place];
  if (fault.fault !== "partition" && fault.fault !== "clog") return [];
  const { link, factor } = fault;
  if (link === undefined) {
    throw reader.wrong(
      path,
      "This fault does not say which links.",
      fault.fault,
      `a field "link": ${LINK_CLASSES.join(", ")}`,
    );
  }
  if (fault.fault === "clog" && factor === undefined) {
    throw reader.wrong(path, "This fault does not say how slow.", fault.fault, 'a field "factor", such as 10');
  }
  const { at, lasts, every, until } = spanOf(context, fault, path);
  const calm = reader.time(scenario.calm_at, ["calm_at"]) ?? Infinity;
  if (at + lasts >= calm) {
    const expected = "an end before calm_at";
    throw reader.wrong([...path, "at"], "This fault does not end before the calm begins.", fault.at, expected);
  }
  const strikes = whom(context, fault, link, path);
  const shared = { link, place, strikes, factor: fault.fault === "partition" ? Infinity : factor! };
  const found = [];
  let from = at;
  do {
    if (from + lasts < calm) found.push({ ...shared, from, until: from + lasts });
    from += every;
  } while (every > 0 && from <= until);
  return found;
}

/** Whose links: a population, a worker by its number, or everybody in a region. */
function whom(context: Context, fault: ScenarioFault, link: LinkClass, path: Path): LinkTrouble["strikes"] {
  const { reader, scenario } = context;
  const { region, party } = fault;
  const places = link === "workers" ? scenario.workers : link === "clients" ? scenario.clients : [];
  if (region !== undefined) {
    const regions = [...new Set(places.flatMap((each) => each.region ?? []))];
    reader.named(region, regions, [...path, "region"], `There are no ${link} in this region.`);
  }
  let only = party;
  if (typeof party === "string") {
    const names = scenario.clients.map(({ name }) => name);
    const population = reader.named(party, names, [...path, "party"], "There are no such clients.");
    // Webhooks are numbered in the order of the populations that have one.
    only =
      link === "clients" ? population : scenario.clients.slice(0, population).filter((each) => each.webhook).length;
    if (link === "workers") {
      throw reader.wrong([...path, "party"], "Workers are named by their number.", party, "a whole number from 0 on");
    }
  }
  return (number, where) => (only === undefined || only === number) && (region === undefined || region === where);
}

/** The gateway's clock; undefined where it is true. */
export function gatewayClock(context: Context): ClockSpec | undefined {
  return clockOf(context, context.scenario.network?.gateway_clock, ["network", "gateway_clock"]);
}

/** A clock that is not true; undefined where none is written. */
export function clockOf({ reader }: Context, written: ScenarioClock | undefined, place: Path): ClockSpec | undefined {
  if (written === undefined) return undefined;
  const path = [...place, "jumps"];
  const jumps = (written.jumps ?? []).map(({ at, ahead, back }, index) => {
    const own = [...path, index];
    if ((ahead === undefined) === (back === undefined)) {
      throw reader.wrong(
        own,
        "A jump goes one way.",
        ahead === undefined ? "neither" : "both",
        "either `ahead` or `back`",
      );
    }
    const by = reader.time(ahead, [...own, "ahead"]) ?? -reader.time(back!, [...own, "back"]);
    return { at: reader.time(at, [...own, "at"]), by };
  });
  return { driftPpm: written.drift_ppm ?? 0, jumps: jumps.toSorted((a, b) => a.at - b.at) };
}
