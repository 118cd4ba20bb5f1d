/**
 * From flags, environment and a settings file to the options of a run. A flag wins over the environment, the environment over the file. What is
 * wrong is named by its place: the flag, the variable, or the file with the path in it.
 */
import { readFileSync } from "node:fs";
import { isMap, LineCounter, parseDocument } from "yaml";
import { ConformError } from "../errors.ts";
import { DEFAULTS, type ReceiverOptions, type TargetOptions } from "./options.ts";
import { patienceFrom } from "./patience.ts";
import { SETTINGS, type Setting, type SettingName, variablesOf } from "./setting-table.ts";

/** Values by the names of the table. */
export type Settings = { readonly [N in SettingName]?: unknown };

interface Placed {
  readonly value: unknown;
  readonly where: string;
}

/** Reads all three. `flags` holds what the command line gave, undefined where it gave nothing. */
export function readOptions(flags: Settings, env: NodeJS.ProcessEnv, file: string | undefined): TargetOptions {
  const fromFile = file === undefined ? new Map<string, Placed>() : readFile(file);
  const values = new Map<string, unknown>();
  for (const setting of SETTINGS) {
    const placed = placedOf(setting, flags, env, fromFile);
    if (placed !== null) values.set(setting.name, checked(setting, placed));
  }
  return optionsFrom(values);
}

function placedOf(
  setting: Setting,
  flags: Settings,
  env: NodeJS.ProcessEnv,
  file: ReadonlyMap<string, Placed>,
): Placed | null {
  const flag = flags[setting.name as SettingName];
  if (flag !== undefined && !(Array.isArray(flag) && flag.length === 0)) {
    return { value: flag, where: setting.name === "base-url" ? "<base-url>" : `--${setting.name}` };
  }
  const variable = variablesOf(setting).find((name) => env[name] !== undefined && env[name] !== "");
  if (variable !== undefined) return { value: fromText(setting, env[variable] as string), where: `$${variable}` };
  return file.get(setting.name) ?? null;
}

/** A variable's text as the setting's type; what does not fit stays text, and is refused as such. */
function fromText(setting: Setting, text: string): unknown {
  switch (setting.type) {
    case "texts":
      return text.split(",").map((part) => part.trim());
    case "integer":
    case "number":
      return text.trim() === "" ? text : Number.isNaN(Number(text)) ? text : Number(text);
    case "switch":
      return text === "1" || text === "true" ? true : text === "0" || text === "false" ? false : text;
    case "text":
      return text;
  }
}

const WORDS: { readonly [T in Setting["type"]]: string } = {
  text: "a text",
  texts: "texts",
  integer: "an integer",
  number: "a number",
  switch: "true or false",
};

function checked(setting: Setting, { value, where }: Placed): unknown {
  const list = setting.type === "texts" && typeof value === "string" ? [value] : value;
  const least = setting.least ?? Number.NEGATIVE_INFINITY;
  const fits =
    (setting.type === "text" &&
      (typeof list === "string" || (setting.name === "patience" && typeof list === "number"))) ||
    (setting.type === "texts" &&
      Array.isArray(list) &&
      list.every((each) => typeof each === "string" && each !== "")) ||
    (setting.type === "integer" && Number.isSafeInteger(list) && (list as number) >= least) ||
    (setting.type === "number" && Number.isFinite(list) && (list as number) >= least) ||
    (setting.type === "switch" && typeof list === "boolean");
  if (fits) return list;
  const atLeast = setting.least === undefined ? "" : `, at least ${setting.least}`;
  throw new ConformError({
    what: `The setting \`${setting.name}\` has a value that it cannot have.`,
    where,
    seen: setting.name.includes("token") || setting.name === "key" ? "(not shown)" : value,
    expected: `${WORDS[setting.type]}${atLeast}`,
  });
}

/** Reads a YAML or JSON file. Throws `ConformError` with file, line and path. */
function readFile(file: string): Map<string, Placed> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ConformError({
      what: "The settings file cannot be read.",
      where: `--config ${file}`,
      seen: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new ConformError({
      what: "The settings file is neither YAML nor JSON.",
      where: `${file}:${lines.linePos(broken.pos[0]).line}`,
      seen: broken.message.split("\n", 1)[0],
    });
  }
  if (!isMap(document.contents)) {
    throw new ConformError({
      what: "The settings file holds no settings.",
      where: file,
      expected: "an object of settings",
    });
  }
  const found = new Map<string, Placed>();
  for (const { key, value } of document.contents.items) {
    const name = String(key);
    const offset = (key as { range?: readonly number[] }).range?.[0] ?? 0;
    const where = `${file}:${lines.linePos(offset).line} ${name}`;
    if (name === "$schema") continue;
    if (!SETTINGS.some((setting) => setting.name === name)) {
      throw new ConformError({
        what: "The settings file names a setting that there is not.",
        where,
        seen: name,
        expected: SETTINGS.map((setting) => setting.name).join(", "),
      });
    }
    found.set(name, { value: (value as { toJSON(): unknown } | null)?.toJSON() ?? null, where });
  }
  return found;
}

function optionsFrom(values: ReadonlyMap<string, unknown>): TargetOptions {
  const get = <T>(name: SettingName): T | undefined => values.get(name) as T | undefined;
  const baseUrl = get<string>("base-url");
  if (baseUrl === undefined) {
    throw new ConformError({
      what: "Which service? No base address was given.",
      where: "assay conform <base-url>",
      expected:
        "an address such as https://api.example.com, as an argument, $ASSAY_BASE_URL, or `base-url` in a settings file",
    });
  }
  const control = get<string>("control");
  const receiver: ReceiverOptions = {
    host: get("receiver-host"),
    port: get("receiver-port"),
    publicUrl: get("receiver-url"),
    certFile: get("receiver-cert"),
    keyFile: get("receiver-key"),
  };
  if ((receiver.certFile === undefined) !== (receiver.keyFile === undefined)) {
    throw new ConformError({
      what: "A certificate needs its key.",
      where: "--receiver-cert, --receiver-key",
      expected: "both, or neither",
    });
  }
  return {
    baseUrl,
    keys: [...new Set(get<string[]>("key") ?? [])],
    brand: get("brand") ?? DEFAULTS.brand,
    control: control === undefined ? undefined : { url: control, token: get("control-token") },
    rpc: get("rpc"),
    receiver: get("receiver") === false ? false : receiver,
    maxCredits: get("max-credits") ?? DEFAULTS.maxCredits,
    timeout: (get<number>("timeout") ?? DEFAULTS.timeout / 1000) * 1000,
    patience: patienceFrom(get<string | number>("patience") ?? "short"),
    seed: get("seed") ?? DEFAULTS.seed,
    runs: get("runs") ?? DEFAULTS.runs,
    only: get("only") ?? [],
    path: get("path"),
    insecure: get("insecure"),
  };
}
