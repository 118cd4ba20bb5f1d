/** A worker thread that tries one trial after another: the test runner keeps state of its own, so trials share no thread at once. */
export { tryOut as default } from "./trial.ts";
