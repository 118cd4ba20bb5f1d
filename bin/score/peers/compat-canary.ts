/** CompatCanary: a scanner that probes an OpenAI-style endpoint and tells which probes passed. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { commandOf, type Peer } from "./peer.ts";

const run = promisify(execFile);

interface Report {
  readonly results: readonly { readonly id: string; readonly status: string }[];
}

export const compatCanary: Peer = {
  name: "CompatCanary",
  package: "compatcanary",
  open: (folder) =>
    Promise.resolve({
      async complaints({ base, key, model }) {
        const words = [
          ...["scan", "--base-url", `${base}/v1`, "--model", model, "--profile", "chat", "--api-key-env", "PEER_KEY"],
          ...["--format", "json", "--timeout", "5", "--fail-on", "never"],
        ];
        const { stdout } = await run(process.execPath, [commandOf(folder, "compatcanary"), ...words], {
          env: { ...process.env, PEER_KEY: key },
        });
        const { results } = JSON.parse(stdout) as Report;
        return results.filter(({ status }) => status !== "pass").map(({ id, status }) => `${id}: ${status}`);
      },
      close: () => Promise.resolve(),
    }),
};
