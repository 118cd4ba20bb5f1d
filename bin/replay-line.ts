/** The command line that repeats a run of the judge: what a finding's replay line begins with. */
import { DEFAULTS, PATIENCE, type TargetOptions } from "../conformance/index.ts";

/** Everything that bears on the run and differs from the default, but no secret: keys and tokens come from the environment again. */
export function replayCommand(target: TargetOptions, config: string | undefined): string {
  const receiver = target.receiver === false ? undefined : target.receiver;
  const flags: readonly (readonly [string, unknown])[] = [
    ["--config", config],
    ["--control", target.control?.url],
    ["--brand", unless(DEFAULTS.brand, target.brand)],
    ["--rpc", target.rpc],
    ["--receiver-url", receiver?.publicUrl],
    ["--receiver-host", receiver?.host],
    ["--receiver-port", receiver?.port],
    ["--receiver-cert", receiver?.certFile],
    ["--receiver-key", receiver?.keyFile],
    ["--runs", unless(DEFAULTS.runs, target.runs)],
    ["--max-credits", unless(DEFAULTS.maxCredits, target.maxCredits)],
    ["--patience", unless("short", patienceName(target))],
  ];
  const given = flags.flatMap(([name, value]) => (value === undefined ? [] : [name, quoted(String(value))]));
  if (target.receiver === false) given.push("--no-receiver");
  if (target.insecure === true) given.push("--insecure");
  return ["assay conform", quoted(target.baseUrl), ...given].join(" ");
}

const unless = <Value>(usual: Value, value: Value): Value | undefined => (value === usual ? undefined : value);

/** As `--patience` takes it. */
function patienceName({ patience }: TargetOptions): string {
  const named = Object.entries(PATIENCE).find(
    ([, { each, total }]) => each === patience.each && total === patience.total,
  );
  return named?.[0] ?? String(patience.each / 1_000);
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
