/**
 * Every setting of a run, once: its flag, its environment variable, its key in a settings file, its type and its words. The command line,
 * the reader of files and the JSON Schema for editors are all made from this table.
 */

export interface Setting {
  /** The flag without dashes, and the key in a file: `max-credits`. */
  readonly name: string;
  readonly type: "text" | "texts" | "integer" | "number" | "switch";
  readonly describe: string;
  /** Smallest value, for numbers. */
  readonly least?: number;
  /** Environment variables, the first that is set wins. Default: `ASSAY_` and the name. Those of `texts` are split at commas. */
  readonly env?: readonly string[];
  /** Shown by `--help`. */
  readonly shown?: string;
}

export const SETTINGS = [
  { name: "base-url", type: "text", describe: "Base address of the service, without /v1" },
  {
    name: "key",
    type: "texts",
    env: ["ASSAY_KEYS", "ASSAY_KEY"],
    describe: "API key; the first is the main one, further ones may be of other wallets",
  },
  { name: "control", type: "text", describe: "Address of the deployment's test controls" },
  { name: "control-token", type: "text", describe: "Token of the test controls" },
  { name: "brand", type: "text", describe: "The maker's word in x-<brand>-job-id", shown: "service" },
  { name: "rpc", type: "text", describe: "JSON-RPC endpoint of the settlement chain" },
  { name: "receiver", type: "switch", describe: "Take webhook deliveries (--no-receiver: do not)", shown: "true" },
  { name: "receiver-url", type: "text", describe: "Public https address that leads to the receiver" },
  { name: "receiver-host", type: "text", describe: "Address that the receiver listens on", shown: "127.0.0.1" },
  {
    name: "receiver-port",
    type: "integer",
    least: 0,
    describe: "Port that the receiver listens on",
    shown: "any free one",
  },
  { name: "receiver-cert", type: "text", describe: "PEM certificate of the receiver", shown: "made for the run" },
  { name: "receiver-key", type: "text", describe: "PEM key of that certificate" },
  { name: "only", type: "texts", describe: "Sections (4.7), requirements (4.7/2) or cases (4.7/late)" },
  { name: "seed", type: "integer", least: 0, describe: "Seed of everything that is drawn", shown: "1" },
  { name: "runs", type: "integer", least: 1, describe: "Runs of each property", shown: "25" },
  { name: "max-credits", type: "integer", least: 0, describe: "The most units that the run may spend", shown: "400" },
  { name: "timeout", type: "number", least: 1, describe: "Seconds of real time for the whole run", shown: "600" },
  {
    name: "patience",
    type: "text",
    describe: "How long to wait really where no clock can be moved: none, short, long, or seconds",
    shown: "short",
  },
  { name: "path", type: "text", describe: "Where a property's counterexample lies: part of a replay line" },
  { name: "insecure", type: "switch", describe: "Accept any certificate of the target", shown: "false" },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]["name"];

/** The variable of a setting: `ASSAY_MAX_CREDITS`. */
export function variablesOf(setting: Setting): readonly string[] {
  return setting.env ?? [`ASSAY_${setting.name.replaceAll("-", "_").toUpperCase()}`];
}

const JSON_TYPES = {
  text: { type: "string" },
  texts: { type: "array", items: { type: "string" } },
  integer: { type: "integer" },
  number: { type: "number" },
  switch: { type: "boolean" },
} as const;

/** The JSON Schema of a settings file. */
export function settingsSchema(): unknown {
  const properties = SETTINGS.map((setting: Setting) => [
    setting.name,
    {
      ...(setting.name === "patience" ? { type: ["string", "number"] } : JSON_TYPES[setting.type]),
      ...(setting.least === undefined ? {} : { minimum: setting.least }),
      description: setting.describe,
    },
  ]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of assay conform",
    type: "object",
    additionalProperties: false,
    properties: { $schema: { type: "string" }, ...Object.fromEntries(properties) },
  };
}
