/**
 * Before the first case: is there a service at this address, does it know the key, and does it bear the brand? What is wrong with the
 * input is an error with a hint; what is wrong with the service is left to the cases.
 */
import type { ListedModel, Tier } from "../cases/case.ts";
import { ConformError } from "../errors.ts";
import { at, type Exchange, errorCode } from "../exchange/exchange.ts";
import type { WireAnswer } from "../exchange/wire.ts";
import type { TargetOptions } from "../target/options.ts";

const TLS = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO|ALTNAME/;
const TIERS: readonly unknown[] = ["lite", "standard", "pro", "max"] satisfies Tier[];

/** Throws when no answer came at all: a dead address, or TLS that cannot be agreed on. */
export function answeredAtAll(answer: WireAnswer, options: TargetOptions): void {
  if (answer.ending === "answered" || answer.status !== 0) return;
  const where = options.baseUrl;
  const seen = answer.errorCode === null ? answer.error : `${answer.error} (${answer.errorCode})`;
  if (answer.errorCode !== null && TLS.test(answer.errorCode)) {
    throw new ConformError({
      what: "A TLS connection to the target cannot be made.",
      where,
      seen,
      hint: "for a certificate that nobody vouches for: --insecure; or http:// where the service speaks plain HTTP",
    });
  }
  throw new ConformError({
    what: "Nothing answers at this address.",
    where,
    seen,
    expected: "an HTTP service",
    hint: "is it running, and is this the base address, without /v1?",
  });
}

/** Throws when what answered is no such service, or does not know the key. `exchange` is of `GET /v1/models`. */
export function isService(exchange: Exchange, options: TargetOptions, keyed: boolean): void {
  const where = `GET ${options.baseUrl}/v1/models`;
  if (exchange.status === 401 || exchange.status === 403) {
    throw new ConformError({
      what: keyed ? "The target does not accept the API key." : "The target wants an API key, and none was given.",
      where,
      seen: `${exchange.status} ${errorCode(exchange) ?? ""}`.trim(),
      expected: "200",
      hint: "give an active key: --key, or ASSAY_KEY in the environment",
    });
  }
  const isHtml = /^\s*<(!doctype|html)/i.test(exchange.text) || contentType(exchange).includes("text/html");
  if (isHtml || (exchange.json === undefined && exchange.status < 500)) {
    throw new ConformError({
      what: isHtml ? "The target answers with an HTML page." : "The target does not answer with JSON.",
      where,
      seen: `${exchange.status} ${contentType(exchange)}: ${exchange.text.slice(0, 120)}`,
      expected: "200 with a JSON list of models",
      hint: "is this the address of the API, and not of its web app or of a proxy's error page?",
    });
  }
  if (exchange.status === 404 || (exchange.status < 300 && listOf(exchange.json) === null)) {
    throw new ConformError({
      what: "What answers at this address does not look like the service.",
      where,
      seen: `${exchange.status} ${exchange.text.slice(0, 200)}`,
      expected: "200 with a list of models",
      hint: "give the base address, without /v1",
    });
  }
}

const contentType = (exchange: Exchange): string => exchange.headers.get("content-type") ?? "";

/** The list's entries, however they are wrapped; null when there is no list. */
function listOf(json: unknown): readonly unknown[] | null {
  const data = Array.isArray(json) ? json : at(json, "data");
  return Array.isArray(data) ? data : null;
}

/**
 * The models that can be used, cheapest first, equal prices in the list's order. Throws when they bear another brand than the run was told.
 * A model whose extension is missing or malformed is left out here, and judged by the monitors.
 */
export function modelsFrom(exchange: Exchange, options: TargetOptions): readonly ListedModel[] {
  const entries = listOf(exchange.json) ?? [];
  const models = entries.flatMap((entry): ListedModel[] => {
    const id = at(entry, "id");
    const tier = at(entry, options.brand, "tier");
    const number = (name: string): number => {
      const value = at(entry, options.brand, name);
      return typeof value === "number" ? value : 0;
    };
    if (typeof id !== "string" || !TIERS.includes(tier)) return [];
    return [
      {
        id,
        tier: tier as Tier,
        credits_per_request: number("credits_per_request"),
        credits_per_1k_tokens: number("credits_per_1k_tokens"),
        context_window: number("context_window"),
      },
    ];
  });
  const other = models.length === 0 ? brandSeen(entries, exchange) : null;
  if (other !== null && other !== options.brand) {
    throw new ConformError({
      what: "The target bears another brand than the run was told.",
      where: `--brand ${options.brand}`,
      seen: `models with an object \`${other}\``,
      expected: `models with an object \`${options.brand}\``,
      hint: `--brand ${other}`,
    });
  }
  return models.sort((a, b) => a.credits_per_request - b.credits_per_request);
}

/** The name of the object that carries a tier, or of the receipt headers; null when neither is seen. */
function brandSeen(entries: readonly unknown[], exchange: Exchange): string | null {
  for (const entry of entries) {
    if (typeof entry !== "object" || entry === null) continue;
    for (const [name, value] of Object.entries(entry)) {
      if (TIERS.includes(at(value, "tier")) || at(value, "credits_per_request") !== undefined) return name;
    }
  }
  const header = exchange.headers.entries.map(([name]) => /^x-(.+)-credits-remaining$/i.exec(name)?.[1]);
  return header.find((name) => name !== undefined)?.toLowerCase() ?? null;
}
