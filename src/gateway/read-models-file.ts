import { type ModelsFile, modelsFileSchema } from "../contract/models-file.ts";
import { requireYaml } from "../yaml/require-yaml.ts";

/** Reads `models.yaml`. Throws an `AleError` coded `bad-models-file` that names every place at fault. */
export function parseModelsFile(text: string, path: string): ModelsFile {
  return requireYaml({
    path,
    text,
    schema: modelsFileSchema,
    code: "bad-models-file",
    remedy: "see schemas/models.schema.json for what may stand in it",
  });
}
