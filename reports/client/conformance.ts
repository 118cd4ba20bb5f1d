/** The script of the conformance report. */
import { startCopying } from "./copy.ts";
import { all, followAddress, openForPrint } from "./dom.ts";
import { startFilters } from "./filter.ts";
import { startMosaic } from "./mosaic.ts";
import { startTheme } from "./theme.ts";

startTheme();
startCopying();
startFilters();
startMosaic();
openForPrint();
followAddress();

for (const button of all<HTMLButtonElement>("button[data-all]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const open = button.dataset.all === "open";
    for (const fold of all<HTMLDetailsElement>(".finding > details")) fold.open = open;
  });
}
