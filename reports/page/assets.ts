/**
 * Style sheets and scripts of the pages, each as one text. `npm run prepare` has them bundled beside the compiled modules; from source they are
 * bundled when they are asked for.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The pages that have a script and a style sheet of their own. */
export const PAGES = ["conformance", "compare", "run", "study"] as const;
export type PageName = (typeof PAGES)[number];

export interface Assets {
  readonly css: string;
  readonly js: string;
}

const CLIENT = new URL("../client/", import.meta.url);
const loaded = new Map<PageName, Promise<Assets>>();

/** Style sheet and script of a page. */
export function assetsOf(page: PageName): Promise<Assets> {
  const known = loaded.get(page);
  if (known !== undefined) return known;
  const assets = import.meta.url.endsWith(".ts") ? bundle(page) : Promise.resolve(read(page));
  loaded.set(page, assets);
  return assets;
}

function read(page: PageName): Assets {
  const text = (ending: string): string => readFileSync(new URL(`${page}.${ending}`, CLIENT), "utf8");
  return { css: text("css"), js: text("js") };
}

/** Bundles a page's script and style sheet from the folder of their sources. */
export async function bundle(page: PageName, folder: string = fileURLToPath(CLIENT)): Promise<Assets> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [`${folder}/${page}.ts`, `${folder}/${page}.css`],
    outdir: folder,
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: ["chrome111", "firefox113", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return { css: text(".css"), js: text(".js") };
}
