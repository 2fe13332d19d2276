import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { HarnessFile } from "../contract/harness-file.ts";
import { parseHarnessFile } from "../harness/declarative/parse-harness-file.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot } from "./package-info.ts";

/** Harnesses without code that ship with this package. */
export const harnessFilesDir: string = join(packageRoot, "data", "harness-files");

/** A declared harness, and where it is declared. */
export interface FoundHarnessFile {
  readonly path: string;
  readonly file: HarnessFile;
}

/**
 * Harnesses described by YAML files: those that ship, then the user's, which go before shipped ones of their name.
 * Throws `no-such-file`, or `bad-harness-file` that names every place at fault.
 */
export async function readHarnessFiles(
  context: Pick<CliContext, "cwd">,
  files: readonly string[],
): Promise<readonly FoundHarnessFile[]> {
  const shipped = (await readdir(harnessFilesDir)).filter((name) => name.endsWith(".yaml")).sort();
  const paths = [
    ...shipped.map((name) => join(harnessFilesDir, name)),
    ...files.map((file) => resolve(context.cwd, file)),
  ];
  const found = new Map<string, FoundHarnessFile>();
  for (const path of paths) {
    const file = parseHarnessFile(await readText(path), path);
    found.set(file.name, { path, file });
  }
  return [...found.values()];
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new AleError({
      code: "no-such-file",
      message: `the harness file ${path} cannot be read: ${(error as Error).message}`,
      remedy: "name a file of schema ale/harness@1; data/harness-files/ in this package has examples",
      cause: error,
    });
  }
}
