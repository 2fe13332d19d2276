import { parse } from "yaml";
import { AleError } from "../../contract/ale-error.ts";
import { type HarnessFile, harnessFileSchema } from "../../contract/harness-file.ts";

/** Reads a harness of YAML. Throws an `AleError` coded `bad-harness-file` that names every place at fault. */
export function parseHarnessFile(text: string, path: string): HarnessFile {
  const bad = (problems: readonly string[], cause?: unknown): AleError =>
    new AleError({
      code: "bad-harness-file",
      message: `${path}: ${problems.join("; ")}`,
      remedy: "correct the file; a harness that ships with ale is an example of the format",
      fields: { path, problems },
      ...(cause === undefined ? {} : { cause }),
    });
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw bad([error instanceof Error ? error.message : String(error)], error);
  }
  const result = harnessFileSchema.safeParse(value);
  if (result.success) return result.data;
  throw bad(result.error.issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`));
}
