/** The report of a study as one HTML file: every metric over its points, with intervals. */
import type { PointSummary, Ranked, Study } from "../../sim/study/index.ts";
import { intervalText, plain } from "../interval-text.ts";
import { documentOf } from "../page/document.ts";
import { html, type Markup } from "../page/markup.ts";
import { copyable, dataTable, plural, scrolling } from "../page/parts.ts";
import { metricFigures } from "./charts.ts";
import { told, unitOf } from "./curves.ts";

export interface StudyPage {
  readonly study: Study;
  readonly points: readonly PointSummary[];
  readonly compare?: Study["compare"];
  readonly ranked?: readonly Ranked[] | undefined;
  /** The command that makes the study again. */
  readonly replay: string;
}

/** The file's text. */
export function studyHtml(page: StudyPage): Promise<string> {
  const { study, points, compare, ranked } = page;
  return documentOf({
    name: "study",
    title: `${study.name}: a study (assay)`,
    kind: "Study",
    sections: [
      { id: "summary", title: "Summary", body: summary(page), bare: true },
      {
        id: "metrics",
        title: "Metrics",
        count: study.metrics.length,
        body: html`<div class="charts">${study.metrics.map((metric) => metricFigures(study, points, metric))}</div>`,
      },
      ...(compare === undefined || ranked === undefined
        ? []
        : [{ id: "ranking", title: "Ranking", body: ranking(compare, ranked) }]),
    ],
  });
}

function summary({ study, points, replay }: StudyPage): Markup {
  const { replications, confidence, factors } = study;
  const unsettled = points.filter(({ warmUp }) => !warmUp.settled).length;
  const facts: readonly (readonly [string, string])[] = [
    ["Points", String(points.length)],
    ["Replications", `${replications} a point`],
    ["Intervals", replications > 1 ? `Student, ${plain(confidence * 100)} % confidence` : "none: single runs"],
    ["Random numbers", study.commonRandomNumbers ? "common to all points" : "of each point"],
    ["Warm-up left out", warmUpOf(study.warmUp)],
    ["Seed", study.seed],
    ["Study", study.hash],
  ];
  const rows = factors.map((factor) => {
    const values = [...new Set(points.map(({ point }) => told(point.factors[factor.name])))];
    const path = typeof factor.path === "string" ? factor.path : factor.path.join(", ");
    return [
      factor.name,
      html`<code>${path}</code>`,
      unitOf(factor.unit) || "–",
      values.length,
      values.slice(0, 14).join(", ") + (values.length > 14 ? ", …" : ""),
    ];
  });
  return html`<div class="hero"><div><h1 class="plain">${study.name}</h1><p>${plural(points.length, "point")}, ${plural(replications, "replication")} each</p></div></div>
${replications > 1 ? null : html`<p class="note">Single runs: one draw of chance at each point, not yet a finding.</p>`}
${unsettled > 0 ? html`<p class="note">At ${plural(unsettled, "point")} no steady state was in sight after half of the pilot: longer runs would tell more.</p>` : null}
<h2 class="unseen">The study in figures</h2>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
${factors.length === 0 ? null : html`<div class="factors">${scrolling("Factors", dataTable("What was varied", ["Factor", "place in the scenario", "unit", "number", "values"], rows, [3]))}</div>`}
<h3 class="again">The same study again</h3>
${copyable(replay, "command")}`;
}

const warmUpOf = (warmUp: Study["warmUp"]): string =>
  warmUp === "mser5" ? "found by MSER-5" : warmUp === 0 ? "nothing" : plural(warmUp, "job");

function ranking(
  { factor, metric, better = "lower" }: NonNullable<Study["compare"]>,
  ranked: readonly Ranked[],
): Markup {
  const rows = ranked.map(({ name, interval, behind, like }, place) => [
    `${place + 1}. ${name}`,
    intervalText(interval),
    place === 0 ? "the best" : intervalText(behind),
    like.length === 0 ? "told apart from all others" : `not distinguishable from ${like.join(", ")}`,
  ]);
  return html`<p class="lead">${factor} by ${metric}, ${better} is better; differences are paired, and all statements hold together.</p>
${scrolling("Ranking", dataTable("Means, and how far each is behind the best, with intervals", [factor, metric, "behind the best", "against the others"], rows, [1, 2]))}`;
}
