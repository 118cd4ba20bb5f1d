import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { outlivePipe } from "./pipe.ts";

it("a pipe that is closed is no fault, anything else is", () => {
  const stream = new PassThrough();
  outlivePipe(stream);
  const error = (code: string): Error => Object.assign(new Error(code), { code });
  expect(() => stream.emit("error", error("EPIPE"))).not.toThrow();
  expect(() => stream.emit("error", error("ENOSPC"))).toThrow("ENOSPC");
});
