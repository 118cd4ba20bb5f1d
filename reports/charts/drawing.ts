/** A chart as a file of its own, for pages that have no style sheet: the theme's colours are written out, on a white ground. */
import { draw, type Plot } from "./plot.ts";

const COLOURS: Readonly<Record<string, string>> = {
  "--ink": "#1c1d21",
  "--c1": "#2563b8",
  "--c2": "#b8431f",
  "--c3": "#2b7d4f",
  "--c4": "#7a4bb0",
  "--c5": "#96690a",
  "--c6": "#5b6472",
};

/** SVG text, ending with a newline. */
export function drawing(label: string, options: Plot.PlotOptions): string {
  const { text } = draw(label, {
    ...options,
    style: { background: "#ffffff", color: "#1c1d21", fontFamily: "sans-serif", fontSize: "12px" },
  });
  const plain = text.replace(/var\((--[a-z0-9]+)\)/g, (whole, name: string) => COLOURS[name] ?? whole);
  return `${plain.replace(/<svg (?![^>]*xmlns=)/, '<svg xmlns="http://www.w3.org/2000/svg" ')}\n`;
}
