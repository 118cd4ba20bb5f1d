/** The way of the money: what clients locked, who got it, what came back; and profit and loss of every party. */
import type { Figures } from "../../../sim/metrics/index.ts";
import type { MoneyFlow, Series } from "../../../sim/metrics/series.ts";
import { figure } from "../../charts/figure.ts";
import { draw, Plot } from "../../charts/plot.ts";
import { type FlowLink, type FlowNode, sankey } from "../../charts/sankey.ts";
import { axisText, percent, units } from "../../charts/units.ts";
import type { Markup } from "../../page/markup.ts";
import { dataTable, whole } from "../../page/parts.ts";
import { payFigure } from "./over-time.ts";

type Party = Figures["parties"][number];

export function moneyFigures(series: Series, busy: Series, { parties }: Figures): readonly Markup[] {
  if (series.money.locked === 0) return [];
  return [flow(series.money), payFigure(busy), ...(parties.length === 0 ? [] : [profits(parties)])];
}

function flow(money: MoneyFlow): Markup {
  const charged = money.toNative + money.toBrowser + money.toTreasury;
  const back = money.difference + money.refundedAtTimeout + money.returnedOnFailure;
  const ends: readonly (readonly [name: string, value: number, from: string, colour: string])[] = [
    ["Native workers", money.toNative, "Charged", "var(--c1)"],
    ["Browser workers", money.toBrowser, "Charged", "var(--c2)"],
    ["Treasury", money.toTreasury, "Charged", "var(--c4)"],
    ["Unused part of the lock", money.difference, "Given back", "var(--c3)"],
    ["Refunded at 120 s", money.refundedAtTimeout, "Given back", "var(--c5)"],
    ["Returned on failure", money.returnedOnFailure, "Given back", "var(--c6)"],
  ];
  const node = (name: string, column: number, value: number, colour: string): FlowNode => ({
    name,
    column,
    value,
    colour,
    told: `${units(value)} (${percent(value / money.locked)})`,
  });
  const nodes = [
    node("Locked by clients", 0, money.locked, "var(--soft)"),
    node("Charged", 1, charged, "var(--c1)"),
    node("Given back", 1, back, "var(--c3)"),
    node("Still in escrow", 1, money.held, "var(--strong-line)"),
    ...ends.map(([name, value, , colour]) => node(name, 2, value, colour)),
  ];
  const links: readonly FlowLink[] = [
    { from: "Locked by clients", to: "Charged", value: charged },
    { from: "Locked by clients", to: "Given back", value: back },
    { from: "Locked by clients", to: "Still in escrow", value: money.held },
    ...ends.map(([to, value, from]) => ({ from, to, value })),
  ];
  const rows = [
    ...nodes
      .filter(({ value }) => value > 0)
      .map(({ name, value }) => [name, units(value), percent(value / money.locked)]),
    ...(money.compensation > 0
      ? [["Treasury to clients, after verdicts", units(money.compensation), percent(money.compensation / money.locked)]]
      : []),
  ];
  const compensation =
    money.compensation > 0 ? ` After verdicts the treasury gave ${units(money.compensation)} back to clients.` : "";
  return figure({
    title: "The way of the units",
    note: `All that was locked for jobs in this run.${compensation}`,
    drawing: sankey("Units from clients to workers, treasury and back", nodes, links),
    table: dataTable("Units", ["", "units", "of those locked"], rows),
    broad: true,
  });
}

function profits(parties: readonly Party[]): Markup {
  const named = parties.map((party) => ({ ...party, label: labelOf(party), shown: party.net / 100 }));
  const drawing = draw("Profit and loss by party", {
    height: 60 + named.length * 34,
    marginLeft: 170,
    marginRight: 90,
    x: { label: "units", grid: true, nice: true, ticks: 5, tickFormat: axisText },
    y: { label: null, domain: named.map(({ label }) => label), tickSize: 0 },
    marks: [
      Plot.barX(named, {
        x: "shown",
        y: "label",
        fill: ({ net }: Party) => (net < 0 ? "var(--c6)" : "var(--c1)"),
        fillOpacity: 0.85,
        inset: 3,
        rx: 2,
      }),
      Plot.ruleX([0], { stroke: "var(--ink)" }),
      Plot.text(named, {
        x: ({ shown }: { shown: number }) => Math.max(0, shown),
        y: "label",
        text: ({ net }: Party) => units(net),
        textAnchor: "start",
        dx: 6,
        fill: "var(--soft)",
      }),
    ],
  });
  const rows = named.map((party) => [
    party.label,
    party.operator,
    whole(party.members),
    whole(party.jobs),
    units(party.revenue),
    units(party.costs),
    units(party.net),
    whole(party.netTokens),
    units(party.total),
  ]);
  const head = ["Party", "operator", "members", "jobs", "revenue", "costs", "net units", "net tokens", "total"];
  return figure({
    title: "Profit and loss by party",
    note: "Revenue less costs, in units. Clients pay for answers: what they lose is the price of what they got.",
    drawing,
    table: dataTable("Units, tokens, and both at the scenario's price of a token", head, rows, [2, 3, 4, 5, 6, 7, 8]),
  });
}

function labelOf({ role, name }: Party): string {
  return role === "treasury" ? "treasury" : `${name} (${role === "client" ? "clients" : "workers"})`;
}
