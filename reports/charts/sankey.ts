/** A flow in columns: bars as high as what passes through them, bands between them. Drawn by hand: three columns need no layout engine. */
import { html, type Markup } from "../page/markup.ts";

export interface FlowNode {
  readonly name: string;
  readonly column: number;
  readonly value: number;
  readonly told: string;
  readonly colour: string;
}

export interface FlowLink {
  readonly from: string;
  readonly to: string;
  readonly value: number;
}

const WIDTH = 960;
const HEIGHT = 330;
const BAR = 12;
const GAP = 34;
const TOP = 12;
const LABELS = 190;

interface Placed extends FlowNode {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** How much of either side is taken by bands already. */
  out: number;
  in: number;
}

/** Nodes of no value and links without are left out. Links are drawn in the order given. */
export function sankey(label: string, nodes: readonly FlowNode[], links: readonly FlowLink[]): Markup {
  const shown = nodes.filter(({ value }) => value > 0);
  const columns = [...new Set(shown.map(({ column }) => column))].sort((a, b) => a - b);
  const step = columns.length < 2 ? 0 : (WIDTH - LABELS - BAR) / (columns.length - 1);
  const most = Math.max(1, ...columns.map((column) => total(shown, column)));
  const gaps = Math.max(...columns.map((column) => shown.filter((node) => node.column === column).length - 1), 0) * GAP;
  const scale = (HEIGHT - TOP * 2 - gaps) / most;
  const placed = new Map<string, Placed>();
  columns.forEach((column, index) => {
    const mine = shown.filter((node) => node.column === column);
    const used = total(mine, column) * scale + GAP * (mine.length - 1);
    let y = (HEIGHT - used) / 2;
    for (const node of mine) {
      const height = Math.max(1.5, node.value * scale);
      placed.set(node.name, { ...node, x: index * step, y, height, out: 0, in: 0 });
      y += height + GAP;
    }
  });
  const bands = links.flatMap(({ from, to, value }) => {
    const [source, target] = [placed.get(from), placed.get(to)];
    if (source === undefined || target === undefined || value <= 0) return [];
    const height = Math.max(1, value * scale);
    const band = bandOf(source, target, height);
    source.out += value * scale;
    target.in += value * scale;
    return [html`<path d="${band}" fill="${target.colour}" fill-opacity="0.28"><title>${from} to ${to}</title></path>`];
  });
  const bars = [...placed.values()].map(
    ({ x, y, height, colour, name, told }) =>
      html`<rect x="${x}" y="${y}" width="${BAR}" height="${height}" rx="2" fill="${colour}"/><text x="${x + BAR + 8}" y="${y + height / 2 - 2}" class="name">${name}</text><text x="${x + BAR + 8}" y="${y + height / 2 + 13}" class="value">${told}</text>`,
  );
  return html`<svg class="sankey" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${bands}${bars}</svg>`;
}

const total = (nodes: readonly FlowNode[], column: number): number =>
  nodes.reduce((sum, node) => sum + (node.column === column ? node.value : 0), 0);

function bandOf(source: Placed, target: Placed, height: number): string {
  const [x1, x2] = [source.x + BAR, target.x];
  const [y1, y2] = [source.y + source.out, target.y + target.in];
  const middle = (x1 + x2) / 2;
  const at = (...numbers: number[]): string => numbers.map((each) => Math.round(each * 10) / 10).join(" ");
  return `M${at(x1, y1)}C${at(middle, y1, middle, y2, x2, y2)}V${at(y2 + height)}C${at(middle, y2 + height, middle, y1 + height, x1, y1 + height)}Z`;
}
