/** Unpacks the tape from the page. */
import { type MotionData, Tape } from "../../motion/tape.ts";

export async function loadTape(): Promise<Tape | null> {
  const block = document.getElementById("motion-data")?.textContent;
  if (block === undefined || block === null) return null;
  const data = JSON.parse(block) as MotionData;
  const packed = Uint8Array.from(atob(data.bytes), (mark) => mark.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Tape(data, new Uint8Array(await new Response(stream).arrayBuffer()));
}
