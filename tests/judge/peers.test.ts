/** What other tools find on the planted defects. The OpenAI client is here; of those that are not, it must be said so. */
import { expect, it } from "vitest";
import { tryPeers } from "../../bin/score/peers/index.ts";
import { installed } from "../../bin/score/peers/peer.ts";
import { peersText } from "../../reports/peers-text.ts";

it("the OpenAI client notices a content of another type, and no refund that never comes", async () => {
  const ids = ["completion-content-in-parts", "refund-missing"];
  const { signal } = new AbortController();
  const peers = await tryPeers(ids, { seed: 1, signal, told: () => {}, only: ["openai"] });
  expect(peers).toMatchObject([
    {
      package: "openai",
      version: installed("openai")?.version,
      honest: [],
      tried: ids,
      found: [
        {
          id: "completion-content-in-parts",
          complaints: ["chat.completions.create: `choices.0.message.content` is no string or null"],
        },
      ],
    },
  ]);
}, 30_000);

it("puts what was found beside the judge's own, by how a defect is come upon, and names what is not installed", () => {
  expect(installed("@assay/no-such-package")).toBeNull();
  const found = (...ids: string[]) => ids.map((id) => ({ id, complaints: ["wrong"] }));
  const peers = [
    {
      peer: "Scanner",
      package: "scanner",
      version: "1.2.3",
      honest: ["tools: fail"],
      found: found("a"),
      tried: ["a", "b"],
    },
    { peer: "Proxy", package: "proxy-cli", version: null, honest: [], found: [], tried: [] },
  ];
  const defects = [
    { id: "a", reach: "request", found: false },
    { id: "b", reach: "sequence", found: true },
  ];
  expect(peersText(peers, defects, "0.1.0")).toBe(`tool     version  found   request  sequence  boundary  concurrency
assay    0.1.0    1 of 2  0 of 1   1 of 1    -         -
Scanner  1.2.3    1 of 2  1 of 1   0 of 1    -         -

Found by a peer and not by assay: a

Scanner holds against the honest service, too:
  tools: fail

Not installed, and not tried: Proxy
  npm install --no-save proxy-cli
`);
});
