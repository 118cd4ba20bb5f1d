import { describe, expect, it } from "vitest";
import { parseArrivalTrace } from "./arrival-trace.ts";

const HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";
const parse = (...rows: string[]) => parseArrivalTrace([HEADER, ...rows].join("\r\n"), "arrivals.csv");

describe("arrival traces", () => {
  it("reads times digit by digit, from the first row on", () => {
    const trace = parse(
      "2023-11-16 23:59:59.9999999,374,44",
      "2023-11-17 00:00:00.0000010,396,109",
      "2023-11-17 00:00:01,1,0",
    );
    expect(trace).toEqual({
      file: "arrivals.csv",
      time: [0, 2, 1_000_001],
      promptTokens: [374, 396, 1],
      outputTokens: [44, 109, 0],
    });
  });

  it("finds its columns by name", () => {
    const text = "GeneratedTokens,TIMESTAMP,Region,ContextTokens\n7,2023-11-16T18:00:00Z,eu,9\n";
    expect(parseArrivalTrace(text, "x.csv")).toMatchObject({ promptTokens: [9], outputTokens: [7] });
  });

  it("reads Mooncake traces, one JSON object a line or as CSV, in milliseconds", () => {
    const lines = [
      '{"timestamp": 1000, "input_length": 6755, "output_length": 500, "hash_ids": [0, 1]}',
      "",
      '{"output_length": 490, "timestamp": 1000.25, "input_length": 7319}',
      '{"timestamp": 4052, "input_length": 0, "output_length": 794, "hash_ids": []}',
    ];
    const expected = {
      file: "m",
      time: [0, 250, 3_052_000],
      promptTokens: [6_755, 7_319, 0],
      outputTokens: [500, 490, 794],
    };
    expect(parseArrivalTrace(`${lines.join("\n")}\n`, "m")).toEqual(expected);
    const csv = "input_length,timestamp,output_length\n6755,1000,500\n7319,1000.25,490\n0,4052,794\n";
    expect(parseArrivalTrace(csv, "m")).toEqual(expected);
  });

  it.each([
    ["what is no JSON", "{timestamp: 0}", "m.jsonl:2"],
    ["a list", "[1, 2, 3]", "m.jsonl:2"],
    ["a time before the last", '{"timestamp": 4, "input_length": 1, "output_length": 1}', "m.jsonl:2, timestamp"],
    ["a time below zero", '{"timestamp": -5, "input_length": 1, "output_length": 1}', "m.jsonl:2, timestamp"],
    ["a number in quotes", '{"timestamp": 9, "input_length": "1", "output_length": 1}', "m.jsonl:2, input_length"],
    ["a field that lacks", '{"timestamp": 9, "input_length": 1}', "m.jsonl:2, output_length"],
  ])("refuses a line of a Mooncake trace with %s", (_, line, where) => {
    const text = `{"timestamp": 5, "input_length": 1, "output_length": 1}\n${line}\n`;
    expect(() => parseArrivalTrace(text, "m.jsonl")).toThrow(`where     ${where}`);
  });

  const good = "2023-11-16 18:15:46.6805900,374,44";
  it.each([
    ["a time that is none", ["16.11.2023 18:15,374,44"], "arrivals.csv:2, TIMESTAMP"],
    ["a day that is none", ["2023-02-30 18:15:46,374,44"], "arrivals.csv:2, TIMESTAMP"],
    ["a time before the last", [good, "2023-11-16 18:15:46.6805890,374,44"], "arrivals.csv:3, TIMESTAMP"],
    ["a row cut short", [good, "2023-11-16 18:15:50,374"], "arrivals.csv:3, GeneratedTokens"],
    ["tokens that are no number", [good, "2023-11-16 18:15:50,many,44"], "arrivals.csv:3, ContextTokens"],
    ["tokens below zero", [good, "2023-11-16 18:15:50,-5,44"], "arrivals.csv:3, ContextTokens"],
  ])("refuses %s, with its line", (_, rows, where) => {
    expect(() => parse(...rows)).toThrow(`where     ${where}`);
  });

  it("refuses a file without rows or without a column", () => {
    expect(() => parse()).toThrow("has no rows");
    expect(() =>
      parseArrivalTrace("TIMESTAMP,ContextToken,GeneratedTokens\n", "x.csv"),
    ).toThrowErrorMatchingInlineSnapshot(`
      [AssayError: The arrival trace lacks a column.
        where     x.csv:1
        seen      TIMESTAMP, ContextToken, GeneratedTokens
        expected  a column ContextTokens
        try       is it the one called ContextToken?]
    `);
    expect(() => parseArrivalTrace("", "x.csv")).toThrow("an empty file");
  });
});
