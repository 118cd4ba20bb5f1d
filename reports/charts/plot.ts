/**
 * The door to the chart library: drawn without a browser, in a document of its own, into SVG text. Colours are the page's custom properties, so a
 * chart follows the theme.
 */
import * as Plot from "@observablehq/plot";
import { Window } from "happy-dom";
import { type Markup, trusted } from "../page/markup.ts";

export { Plot };

/** The tones of series, in the order in which they are given out. */
export const TONES = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"] as const;

let shared: Window | undefined;

/** Draws a chart. `label` is what a screen reader says of it; its numbers stand in a table beside it. */
export function draw(label: string, options: Plot.PlotOptions): Markup {
  shared ??= new Window();
  const drawn = Plot.plot({
    width: 580,
    height: 252,
    // The name of the axis stands above its topmost figure, not on it.
    marginTop: 34,
    marginLeft: 48,
    marginRight: 14,
    marginBottom: 40,
    style: { background: "none", color: "var(--ink)", fontFamily: "inherit", fontSize: "12px", overflow: "visible" },
    ...options,
    ariaLabel: label,
    document: shared.document as never,
  });
  // The image has one name; its parts have none of their own.
  return trusted(drawn.outerHTML.replace(/<g aria-label="[^"]*"/g, "<g").replace("<svg ", '<svg role="img" '));
}
