/** The routing policy that a scenario names: one of the project's own, or a module beside the scenario. */
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { type MakePolicy, policies } from "../actors/index.ts";
import { AssayError } from "../core/index.ts";
import type { Source } from "./source.ts";
import { suggest } from "./suggest.ts";

const require = createRequire(import.meta.url);

/**
 * @param written the word in the scenario; a path has a slash in it or ends in .js, .mjs or .cjs
 * @throws AssayError where no policy has that name, the module cannot be loaded, or its default export is no function
 */
export function routingPolicy(written: string | undefined, source: Source): MakePolicy | undefined {
  if (written === undefined) return undefined;
  if (Object.hasOwn(policies, written)) return policies[written as keyof typeof policies];
  const where = source.where(["routing"]);
  if (!/[/\\]|\.[cm]?js$/.test(written)) {
    const near = suggest(written, Object.keys(policies));
    throw new AssayError({
      what: "There is no such routing policy.",
      where,
      seen: written,
      expected: `one of ${Object.keys(policies).join(", ")}, or the path of a module`,
      hint: near === undefined ? undefined : `did you mean "${near}"?`,
    });
  }
  return fromModule(resolve(dirname(source.file), written), where);
}

function fromModule(file: string, where: string): MakePolicy {
  let loaded: unknown;
  try {
    loaded = require(file);
  } catch (cause) {
    throw new AssayError({
      what: "The module of the routing policy cannot be loaded.",
      where,
      seen: (cause as Error).message.split("\n")[0],
      expected: `a module at ${file} without top-level await`,
      cause,
    });
  }
  const exported = loaded as { readonly default?: unknown };
  const make = typeof loaded === "function" ? loaded : exported.default;
  if (typeof make === "function") return checked(make as MakePolicy, where);
  throw new AssayError({
    what: "The module of the routing policy makes none.",
    where,
    seen: Object.keys(loaded as object).join(", ") || "no exports",
    expected: "a default export: a function that takes dice and returns { add, remove, choose }",
  });
}

/** Policies that lack a function are refused before the run begins. */
function checked(make: MakePolicy, where: string): MakePolicy {
  return (dice) => {
    const policy = make(dice);
    for (const name of ["add", "remove", "choose"] as const) {
      if (typeof policy?.[name] === "function") continue;
      throw new AssayError({
        what: "The routing policy lacks a function.",
        where,
        seen: Object.keys(policy ?? {}).join(", ") || "nothing",
        expected: `functions add(worker), remove(worker) and choose(); ${name} is missing`,
      });
    }
    return policy;
  };
}
