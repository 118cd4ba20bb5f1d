import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, type Exchange, segmentOf } from "./exchange.ts";

const asked = (path: string): Exchange => ({ request: { path } }) as Exchange;

describe("a segment of a path", () => {
  it("is what was written into the path, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(), (id, number) => {
        const path = `/v1/jobs/${encodeURIComponent(id)}/dispute?limit=${number}`;
        expect(segmentOf(asked(path), 3)).toBe(id);
        expect(segmentOf(asked(path), 4)).toBe("dispute");
      }),
    );
  });

  it("ends before the query and the fragment", () => {
    expect(segmentOf(asked("/v1/jobs?after=/job_1"), 2)).toBe("jobs");
    expect(segmentOf(asked("/v1/jobs#/job_1"), 2)).toBe("jobs");
  });

  it("is empty where there is none, or where its escapes are broken", () => {
    for (const path of ["", "/", "/v1/jobs", "/v1/jobs/%", "/v1/jobs/%zz", "/v1/jobs/%E0%A4%A", "/v1/jobs/%ff"]) {
      expect(segmentOf(asked(path), 3), path).toBe("");
    }
  });
});

describe("a value at a path of keys", () => {
  it("is undefined where the path ends early", () => {
    const value = { data: [{ id: "job_1" }, null] };
    expect(at(value, "data", 0, "id")).toBe("job_1");
    expect(at(value, "data", 1, "id")).toBeUndefined();
    expect(at(value, "data", 2, "id")).toBeUndefined();
    expect(at(value, "data", 0, "id", "length")).toBeUndefined();
    expect(at(undefined, "data")).toBeUndefined();
  });
});
