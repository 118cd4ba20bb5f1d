/** A worker thread of the hunt: batch after batch of worlds. */
export { huntBatch as default } from "../../sim/fuzz/index.ts";
