/**
 * A baseline: the failures that a project knows of and lives with for now, down to one requirement. A run held against it fails for what is
 * new and for what is stale, so the file can only shrink by being looked at.
 */
import { isRequirementId, type RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import { ConformError } from "../errors.ts";
import type { Finding, Report } from "../findings/report.ts";

/** One known failure. Without a fingerprint it stands for every finding of its requirement. */
export interface KnownFailure {
  readonly requirement: RequirementId;
  /** Of the one finding meant; eight hex digits. */
  readonly fingerprint?: string;
  /** Why it is lived with: a ticket, a release. */
  readonly reason?: string;
}

export interface Baseline {
  readonly format: "assay-baseline/1";
  readonly known: readonly KnownFailure[];
}

/** A report held against a baseline. */
export interface Held {
  /** Findings that no entry knows: these fail the run. */
  readonly fresh: readonly Finding[];
  /** Findings that an entry knows. */
  readonly known: readonly Finding[];
  /** Entries whose requirement was exercised without that failure: these fail the run too, until they are removed. */
  readonly stale: readonly KnownFailure[];
  /** Entries whose requirement this run did not decide: neither stale nor confirmed. */
  readonly undecided: readonly KnownFailure[];
  readonly exitCode: 0 | 1 | 3;
}

/** Holds a report against a baseline. A verdict that is inconclusive for other reasons than findings stays so (exit code 3). */
export function holdAgainst(report: Report, baseline: Baseline): Held {
  const fits = (entry: KnownFailure, finding: Finding): boolean =>
    entry.requirement === finding.requirement &&
    (entry.fingerprint === undefined || entry.fingerprint === finding.fingerprint);
  const known = report.findings.filter((finding) => baseline.known.some((entry) => fits(entry, finding)));
  const fresh = report.findings.filter((finding) => !known.includes(finding));
  const idle = baseline.known.filter((entry) => !report.findings.some((finding) => fits(entry, finding)));
  const decided = new Set(
    report.requirements.filter((row) => row.status === "passed" || row.status === "failed").map((row) => row.id),
  );
  const stale = idle.filter((entry) => decided.has(entry.requirement));
  const failing = fresh.some((finding) => !finding.flaky) || stale.length > 0;
  return {
    fresh,
    known,
    stale,
    undecided: idle.filter((entry) => !stale.includes(entry)),
    exitCode: failing ? 1 : report.exitCode === 3 || fresh.length > 0 ? 3 : 0,
  };
}

/** The baseline that knows every finding of a report, flaky ones left out: they are not known to fail. */
export function baselineOf(report: Report): Baseline {
  const known = report.findings
    .filter((finding) => !finding.flaky)
    .map(({ requirement, fingerprint, title }) => ({ requirement, fingerprint, reason: title }));
  return { format: "assay-baseline/1", known };
}

/** Reads a baseline from its JSON text. Throws `ConformError` that names the file, the path, what was seen and what was expected. */
export function parseBaseline(text: string, file: string): Baseline {
  const refuse = (where: string, seen: unknown, expected: string): never => {
    throw new ConformError({
      what: "The baseline cannot be read.",
      where: `${file}${where}`,
      seen,
      expected,
      hint: `Write a fresh one: assay conform <base-url> --write-baseline ${file}`,
    });
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse("", (error as Error).message, "a JSON document");
  }
  const { format, known } = (value ?? {}) as { format?: unknown; known?: unknown };
  if (format !== "assay-baseline/1") return refuse(" /format", format, '"assay-baseline/1"');
  if (!Array.isArray(known)) return refuse(" /known", known, "an array of known failures");
  known.forEach((entry: unknown, index) => {
    const { requirement, fingerprint } = (entry ?? {}) as { requirement?: unknown; fingerprint?: unknown };
    if (typeof requirement !== "string" || !isRequirementId(requirement)) {
      refuse(` /known/${index}/requirement`, requirement, "the id of a requirement, such as 4.7/11");
    }
    if (fingerprint !== undefined && !/^[0-9a-f]{8}$/.test(String(fingerprint))) {
      refuse(` /known/${index}/fingerprint`, fingerprint, "eight hex digits");
    }
  });
  return value as Baseline;
}
