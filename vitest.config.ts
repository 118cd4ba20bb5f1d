import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{bin,sim,conformance,fixtures,reports,tests}/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    // Most tests wait for programs that they have started: two files at once keep two cores busy.
    maxWorkers: 2,
  },
});
