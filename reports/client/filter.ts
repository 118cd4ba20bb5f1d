/** Filters over a table of requirements: by status, section, kind and text. */
import { all, announce } from "./dom.ts";

interface Line {
  readonly element: HTMLTableRowElement;
  readonly section: string;
  /** One, or one for each report. */
  readonly statuses: readonly string[];
  readonly kind: string;
  readonly differs: boolean;
  readonly text: string;
}

export function startFilters(): void {
  for (const form of all<HTMLFormElement>("form.filters")) start(form);
}

function start(form: HTMLFormElement): void {
  const table = document.getElementById(form.dataset.table ?? "");
  if (table === null) return;
  const bodies = all<HTMLTableSectionElement>("tbody[data-section]", table).map((body) => ({
    body,
    lines: all<HTMLTableRowElement>("tr.row", body).map((element) => lineOf(element, body.dataset.section ?? "")),
  }));
  const total = bodies.reduce((sum, { lines }) => sum + lines.length, 0);
  const output = form.querySelector("output");
  const empty = table.parentElement?.querySelector<HTMLElement>(".empty");
  const buttons = all<HTMLButtonElement>("button[data-status]", form);
  const differing = form.querySelector<HTMLButtonElement>("button[data-differing]");
  const pressed = (button: HTMLButtonElement | null): boolean => button?.getAttribute("aria-pressed") === "true";
  const value = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? "";

  const apply = (): void => {
    const statuses = new Set(buttons.filter(pressed).map((button) => button.dataset.status ?? ""));
    const [section, kind] = [value("section"), value("kind")];
    const words = value("text").toLowerCase().split(/\s+/).filter(Boolean);
    const onlyDiffering = pressed(differing);
    let shown = 0;
    for (const { body, lines } of bodies) {
      let any = false;
      for (const line of lines) {
        const fits =
          (statuses.size === 0 || line.statuses.some((status) => statuses.has(status))) &&
          (section === "" || line.section === section) &&
          (kind === "" || line.kind === kind) &&
          (!onlyDiffering || line.differs) &&
          words.every((word) => line.text.includes(word));
        line.element.hidden = !fits;
        if (fits) shown++;
        any ||= fits;
      }
      body.hidden = !any;
    }
    if (output !== null) output.textContent = `${shown} of ${total} shown`;
    if (empty !== null && empty !== undefined) empty.hidden = shown > 0;
  };

  form.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>(".toggle") : null;
    if (button === null) return;
    button.setAttribute("aria-pressed", String(!pressed(button)));
    apply();
  });
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    for (const button of [...buttons, differing]) button?.setAttribute("aria-pressed", "false");
    for (const field of all<HTMLInputElement | HTMLSelectElement>("input, select", form)) field.value = "";
    apply();
  });
  // A link to a row that is filtered out shows it nevertheless.
  table.addEventListener("aim", (event) => {
    if (!(event.target instanceof HTMLElement) || !event.target.hidden) return;
    form.reset();
    announce("The filters were cleared to show the requirement.");
  });
  form.hidden = false;
  apply();
}

function lineOf(element: HTMLTableRowElement, section: string): Line {
  const { status = "", kind = "", differs = "" } = element.dataset;
  const text = element.textContent.toLowerCase();
  return { element, section, statuses: status.split(" "), kind, differs: differs === "yes", text };
}
