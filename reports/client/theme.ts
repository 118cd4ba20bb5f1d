/** The theme: as the system has it, until the reader says otherwise; the choice is kept where the browser lets it be. */
const KEY = "assay-theme";
const NEXT: Readonly<Record<string, string>> = { system: "dark", dark: "light", light: "system" };
const NAMES: Readonly<Record<string, string>> = { system: "as the system", dark: "dark", light: "light" };

export function startTheme(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  if (button === null) return;
  const set = (theme: string): void => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-label", `Theme: ${NAMES[theme]}`);
    button.title = `Theme: ${NAMES[theme]}`;
    document.dispatchEvent(new Event("theme"));
  };
  let theme = kept() ?? "system";
  set(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = NEXT[theme] ?? "system";
    set(theme);
    keep(theme);
  });
}

function kept(): string | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme !== null && theme in NEXT ? theme : null;
  } catch {
    return null;
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing has the theme until the page is left.
  }
}
