import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { ModelsFile } from "../contract/models-file.ts";
import { orAbsent } from "../files/or-absent.ts";
import { parseModelsFile } from "../gateway/read-models-file.ts";
import type { CliContext } from "./cli-context.ts";

export const modelsFileName = "models.yaml";

/** The model that is there without a models file: a server in this process that does as its script says. */
export const scriptedModel = "scripted";

/** The models of this user, and what their servers ask for. */
export interface Models {
  /** Of the file; empty without one. The built-in {@link scriptedModel} is not in it. */
  readonly models: ModelsFile;
  /** The keys that are set, by the name of their environment variable. */
  readonly keys: Readonly<Record<string, string>>;
  /** Of the file, absolute; `undefined` when there is none. */
  readonly path: string | undefined;
}

/**
 * Reads the models file: the one named, else `models.yaml` here, else that of the user's config folder. Throws
 * `no-such-file` for one that is named and not there, `bad-models-file` for one that cannot be used.
 */
export async function readModels(
  context: Pick<CliContext, "cwd" | "folders" | "environment">,
  path?: string,
): Promise<Models> {
  const found = path === undefined ? await findModels(context) : await namedModels(context, path);
  if (found === undefined) {
    return { models: { schema: "ale/models@1", upstreams: {}, models: {} }, keys: {}, path: undefined };
  }
  const models = parseModelsFile(found.text, found.path);
  const variables = Object.values(models.upstreams).flatMap(({ key_env: name }) => {
    const value = name === undefined ? undefined : context.environment[name]?.trim();
    return name === undefined || value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return { models, keys: Object.fromEntries(variables), path: found.path };
}

/** Where a models file is looked for, first first. */
export function modelsPlaces(context: Pick<CliContext, "cwd" | "folders">): readonly [string, string] {
  return [join(context.cwd, modelsFileName), join(context.folders.config, modelsFileName)];
}

interface FoundFile {
  readonly path: string;
  readonly text: string;
}

async function findModels(context: Pick<CliContext, "cwd" | "folders">): Promise<FoundFile | undefined> {
  for (const path of modelsPlaces(context)) {
    const text = await orAbsent(readFile(path, "utf8")).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

async function namedModels(context: Pick<CliContext, "cwd">, path: string): Promise<FoundFile> {
  const absolute = resolve(context.cwd, path);
  try {
    return { path: absolute, text: await readFile(absolute, "utf8") };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): AleError {
  const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
  return new AleError({
    code: "no-such-file",
    message: `the models file ${path} ${isAbsent ? "is not there" : `cannot be read: ${(error as Error).message}`}`,
    remedy: isAbsent ? "write one with: npx ale models init" : "make it a file that you may read",
    cause: error,
  });
}
