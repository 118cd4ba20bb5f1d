/** A worker thread that runs a scenario for its proof. */
export { runForProof as default } from "./proof.ts";
