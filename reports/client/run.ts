/** The script of the run report. */
import { startCopying } from "./copy.ts";
import { followAddress, openForPrint } from "./dom.ts";
import { startMotion } from "./motion/player.ts";
import { startTheme } from "./theme.ts";

startTheme();
startCopying();
openForPrint();
followAddress();
void startMotion();
