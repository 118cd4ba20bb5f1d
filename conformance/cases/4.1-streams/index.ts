/** Section 4.1, the stream: its bytes, its text, its time. */
import { shapeCases } from "./shape.ts";
import { textCases } from "./text.ts";
import { timeCases } from "./time.ts";

export const section41Streams = [...shapeCases, ...textCases, ...timeCases];
