import { AleError } from "../../contract/ale-error.ts";
import type { Check, Verdict } from "../../contract/verdict.ts";
import { buildVerdict } from "./build-verdict.ts";
import { weightedMean } from "./weighted-mean.ts";

/** The checks of one output file. */
export interface FileChecks {
  readonly path: string;
  /** Ids need only be unique within the file; in the verdict they read `path: id`. */
  readonly checks: readonly Check[];
}

/**
 * The mean of the files' own scores: files weigh alike, however many checks each has. Within a file the weighted
 * mean counts, and a failed gate makes that file, not the verdict, 0. In the verdict the file's weights are scaled
 * to sum to 1, and its gates are listed as ordinary checks.
 *
 * Throws an `AleError` coded `check-misuse` for no files or a file without checks.
 */
export function perFileMean(files: readonly FileChecks[]): Verdict {
  const scored = files.map(gradeFile);
  const score = weightedMean(scored.map((file) => ({ weight: 1, score: file.score })));
  return buildVerdict(
    "per-file-mean",
    scored.flatMap((file) => file.checks),
    score ?? 0,
  );
}

function gradeFile({ path, checks }: FileChecks): { readonly score: number; readonly checks: Check[] } {
  if (checks.length === 0) {
    throw new AleError({
      code: "check-misuse",
      message: `File "${path}" has no checks.`,
      remedy: "Give every file at least one check.",
      fields: { path },
    });
  }
  const failed = checks.find((item) => item.gate && item.score < 1);
  const total = checks.reduce((sum, item) => sum + item.weight, 0);
  const counted = checks.map((item): Check => {
    const lost = failed !== undefined && !item.gate;
    return {
      ...item,
      id: `${path}: ${item.id}`,
      gate: false,
      weight: total === 0 ? 1 / checks.length : item.weight / total,
      score: lost ? 0 : item.score,
      message: lost ? `Not counted, for ${failed.id} failed. ${item.message}` : item.message,
    };
  });
  return { score: failed === undefined ? (weightedMean(counted) ?? 1) : 0, checks: counted };
}
