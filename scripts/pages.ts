/** Bundles the style sheets and scripts of the HTML reports beside the compiled modules, for `npm run prepare`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, PAGES } from "../reports/page/assets.ts";

/** From `dist/scripts` two levels up, from `scripts` one. */
const here = dirname(fileURLToPath(import.meta.url));
const root = import.meta.url.endsWith(".ts") ? join(here, "..") : join(here, "../..");
const out = join(root, "dist/reports/client");

mkdirSync(out, { recursive: true });
for (const page of PAGES) {
  const { css, js } = await bundle(page, join(root, "reports/client"));
  writeFileSync(join(out, `${page}.css`), css);
  writeFileSync(join(out, `${page}.js`), js);
}
