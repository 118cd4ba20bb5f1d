/** Buttons that copy the text beside them. */
import { all, announce } from "./dom.ts";

const SHOWN = 1_600;

export function startCopying(): void {
  for (const button of all<HTMLButtonElement>(".copier")) button.hidden = false;
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>(".copier") : null;
    const text = button?.closest(".copy")?.querySelector("code")?.textContent;
    if (button === null || text === null || text === undefined) return;
    void copy(text).then((copied) => {
      const name = button.getAttribute("aria-label")?.replace(/^Copy the /, "") ?? "text";
      announce(copied ? `Copied the ${name}.` : "The browser did not let it be copied.");
      button.textContent = copied ? "Copied" : "Failed";
      button.classList.toggle("done", copied);
      setTimeout(() => {
        button.textContent = "Copy";
        button.classList.remove("done");
      }, SHOWN);
    });
  });
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For browsers that keep the clipboard from files. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}
