import { type HarnessFile, harnessFileSchema } from "../../contract/harness-file.ts";
import { requireYaml } from "../../yaml/require-yaml.ts";
import { checkPlaceholders } from "./check-placeholders.ts";

/** Reads a harness of YAML. Throws an `AleError` coded `bad-harness-file` that names every place at fault. */
export function parseHarnessFile(text: string, path: string): HarnessFile {
  return requireYaml({
    path,
    text,
    schema: harnessFileSchema,
    check: checkPlaceholders,
    code: "bad-harness-file",
    remedy: "correct the file; those in data/harness-files are examples of the format",
  });
}
