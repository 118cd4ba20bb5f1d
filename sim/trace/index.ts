/** Events of a run: what kinds there are, their hash, and where they go. */
export {
  type Definitions,
  defineKinds,
  type FieldValues,
  type KindId,
  type Kinds,
  type Notes,
  type TraceEvent,
} from "./define.ts";
export { RollingHash } from "./hash.ts";
export { FAULT, KIND, kinds, type WorldKinds } from "./kinds.ts";
export { MemoryRecorder } from "./memory.ts";
export { NdjsonRecorder, readNdjson, type TextSink } from "./ndjson.ts";
export { replay } from "./replay.ts";
export { type Checkpoint, divergence, type Fold, type Recorder, Trace, type TraceOptions } from "./trace.ts";
