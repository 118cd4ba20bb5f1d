/** What every page's script needs. */

/** Tells a screen reader. */
export function announce(text: string): void {
  const place = document.querySelector("#announce");
  if (place !== null) place.textContent = text;
}

/** All elements that fit, as an array. */
export function all<E extends HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** Opens every fold for the printer, and leaves the page as it was. */
export function openForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    // A chart is printed without the table of its numbers: it would be pages long.
    opened = all<HTMLDetailsElement>("details:not([open])").filter((fold) => fold.closest("figure") === null);
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
    opened = [];
  });
}

/** Opens the folds around what the address points at, so that it can be seen, and goes there. */
export function followAddress(): void {
  const follow = (): void => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id === "" ? null : document.getElementById(id);
    if (target === null) return;
    const own = target.querySelector(":scope > details");
    if (own instanceof HTMLDetailsElement) own.open = true;
    for (let fold = target.closest("details"); fold !== null; fold = fold.parentElement?.closest("details") ?? null) {
      fold.open = true;
    }
    target.dispatchEvent(new Event("aim", { bubbles: true }));
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
}
