/** The script of the comparison. */
import { followAddress, openForPrint } from "./dom.ts";
import { startFilters } from "./filter.ts";
import { startMosaic } from "./mosaic.ts";
import { startTheme } from "./theme.ts";

startTheme();
startFilters();
startMosaic();
openForPrint();
followAddress();
