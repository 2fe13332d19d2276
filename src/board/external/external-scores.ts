import { CsvError, parse } from "csv-parse/sync";
import { AleError } from "../../contract/ale-error.ts";

/** A score that somebody published of a model on another benchmark, on that benchmark's own scale. */
export interface ExternalScore {
  readonly model: string;
  readonly benchmark: string;
  readonly score: number;
}

/**
 * Reads CSV with the columns `model`, `benchmark` and `score`. Throws `malformed-file` naming every line that is wrong: no
 * line is left out.
 */
export function externalScores(text: string, file: string): readonly ExternalScore[] {
  const problems: string[] = [];
  const seen = new Map<string, number>();
  const scores = records(text, file).map(({ record, info: { lines } }): ExternalScore => {
    const [model, benchmark, written] = ["model", "benchmark", "score"].map(
      (name) => record[name]?.trim() ?? "",
    );
    for (const [name, value] of Object.entries({ model, benchmark, score: written })) {
      if (value === undefined || value === "") problems.push(`line ${lines}: ${name} is missing`);
    }
    const score = Number(written);
    if (!Number.isFinite(score))
      problems.push(`line ${lines}: score is ${JSON.stringify(written)}, not a number`);
    const before = seen.get(`${model}\n${benchmark}`);
    if (before !== undefined) problems.push(`line ${lines}: the same model and benchmark as line ${before}`);
    seen.set(`${model}\n${benchmark}`, lines);
    return { model: model ?? "", benchmark: benchmark ?? "", score };
  });
  if (scores.length === 0) problems.push("there are no rows");
  if (problems.length === 0) return scores;
  throw malformed(file, `\n  ${problems.slice(0, 8).join("\n  ")}`);
}

function records(
  text: string,
  file: string,
): readonly {
  readonly record: Readonly<Record<string, string | undefined>>;
  readonly info: { readonly lines: number };
}[] {
  try {
    return parse(text, { columns: true, bom: true, skip_empty_lines: true, info: true }) as never;
  } catch (error) {
    if (error instanceof CsvError) throw malformed(file, ` ${error.message}`, error);
    throw error;
  }
}

function malformed(file: string, problem: string, cause?: unknown): AleError {
  return new AleError({
    code: "malformed-file",
    message: `${file} cannot be read:${problem}`,
    remedy: "give CSV with the columns model, benchmark and score, one score a line",
    cause,
  });
}
