/** Clock, timers and run loop. */
export { type Handler, Kernel, type Lane } from "./kernel.ts";
