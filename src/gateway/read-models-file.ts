import { parse } from "yaml";
import { AleError } from "../contract/ale-error.ts";
import { type ModelsFile, modelsFileSchema } from "../contract/models-file.ts";

/** Reads `models.yaml`. Throws an `AleError` coded `bad-models-file` that names the place and what is wrong there. */
export function parseModelsFile(text: string, path: string): ModelsFile {
  const bad = (problems: readonly string[], cause?: unknown): AleError =>
    new AleError({
      code: "bad-models-file",
      message: `${path}: ${problems.join("; ")}`,
      remedy: "see schemas/models.schema.json for what may stand in it",
      fields: { path },
      ...(cause === undefined ? {} : { cause }),
    });
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw bad([error instanceof Error ? error.message : String(error)], error);
  }
  const result = modelsFileSchema.safeParse(value);
  if (result.success) return result.data;
  throw bad(result.error.issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`));
}
