/** The script of a study's report. */
import { startCopying } from "./copy.ts";
import { followAddress, openForPrint } from "./dom.ts";
import { startTheme } from "./theme.ts";

startTheme();
startCopying();
openForPrint();
followAddress();
