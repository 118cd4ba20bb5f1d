import { afterEach, describe, expect, it } from "vitest";
import { type Handler, type LocalServer, localServer } from "./local-server.fixture.ts";
import { openWire, type Wire } from "./wire.ts";

let server: LocalServer;
let wire: Wire;

async function send(handler: Handler, changes: { readonly maxBytes?: number } = {}) {
  server = await localServer(handler);
  wire = openWire({ now: () => 42, ...changes });
  return wire.send({ origin: server.origin, method: "GET", path: "/", headers: [["x-one", "1"]], body: null });
}

afterEach(async () => {
  await wire.close();
  await server.close();
});

describe("the wire", () => {
  it("keeps headers with their case and repetition, the body, and the trailers", async () => {
    const flight = await send((_, response) => {
      response.writeHead(201, [
        ["X-Mixed", "a"],
        ["X-Mixed", "b"],
        ["Trailer", "x-after"],
      ] as never);
      response.write("hel");
      response.addTrailers({ "x-after": "late" });
      response.end("lo");
    });
    const answer = await flight.done;
    expect(answer).toMatchObject({ ending: "answered", status: 201, error: null, sentAt: 42 });
    expect(Buffer.from(answer.body).toString()).toBe("hello");
    expect(answer.headers.entries.filter(([name]) => name === "X-Mixed")).toEqual([
      ["X-Mixed", "a"],
      ["X-Mixed", "b"],
    ]);
    expect(answer.headers.get("x-MIXED")).toBe("a");
    expect(answer.headers.all("x-mixed")).toEqual(["a", "b"]);
    expect(answer.trailers.get("x-after")).toBe("late");
  });

  it("tells a reset from an answer that was cut off", async () => {
    const reset = await (await send((request) => request.socket.destroy())).done;
    expect(reset).toMatchObject({ ending: "reset", status: 0 });
    await wire.close();
    await server.close();
    const cut = await (
      await send((request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => request.socket.destroy());
      })
    ).done;
    expect(cut).toMatchObject({ ending: "cut", status: 200 });
    expect(Buffer.from(cut.body).toString()).toBe("half");
  });

  it("stops reading a body that is too large", async () => {
    const flight = await send(
      (_, response) => {
        const pour = (): void => {
          while (response.write("x".repeat(1_000)) && !response.destroyed);
          response.once("drain", pour);
        };
        pour();
      },
      { maxBytes: 5_000 },
    );
    const answer = await flight.done;
    expect(answer.ending).toBe("too-large");
    expect(answer.body.length).toBeGreaterThan(5_000);
  });

  it("ends a flight as it is told, once, and counts what moves", async () => {
    const flight = await send(() => {});
    expect(flight.settled).toBe(false);
    const before = wire.activity;
    flight.end("timeout", "too long");
    flight.end("reset", "again");
    expect(await flight.done).toMatchObject({ ending: "timeout", error: "too long", status: 0 });
    expect(flight.settled).toBe(true);
    expect(wire.activity).toBeGreaterThan(before);
  });

  it("names the network's error for an address where nothing listens", async () => {
    await send((_, response) => response.end());
    await server.close();
    const answer = await wire.send({ origin: "http://127.0.0.1:1", method: "GET", path: "/", headers: [], body: null })
      .done;
    expect(answer).toMatchObject({ ending: "reset", errorCode: "ECONNREFUSED" });
  });
});
