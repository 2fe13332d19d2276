import { readFile } from "node:fs/promises";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { type ScriptFile, scriptFileSchema } from "../../contract/script-file.ts";
import { requireYaml } from "../../yaml/require-yaml.ts";
import { scriptFromFile } from "./script-from-file.ts";
import { createScriptedModel, type ScriptedModel } from "./scripted-model.ts";

/** Reads a script. Throws an `AleError`: `no-such-file`, or `bad-script-file` that names every place at fault. */
export async function readScriptFile(path: string): Promise<ScriptFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new AleError({
      code: "no-such-file",
      message: `the script ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      remedy: "name a file in the format of data/scripts/demonstration.yaml",
      cause: error,
    });
  });
  return requireYaml({
    path,
    text,
    schema: scriptFileSchema,
    code: "bad-script-file",
    remedy: "see schemas/script.schema.json for what may stand in it",
  });
}

/** Starts a scripted model that does as the file says. Throws as {@link readScriptFile} does. */
export async function startScriptedModel(path: string, clock: Clock): Promise<ScriptedModel> {
  return createScriptedModel({ script: scriptFromFile(await readScriptFile(path)), clock });
}
