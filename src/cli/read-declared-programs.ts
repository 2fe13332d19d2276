import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { createDeclarativeProgram } from "../harness/declarative/create-declarative-program.ts";
import { parseHarnessFile } from "../harness/declarative/parse-harness-file.ts";
import type { CliProgram } from "../harness/program/cli-program.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot } from "./package-info.ts";

const shippedFolder = join(packageRoot, "data", "harness-files");

/** Harnesses described by YAML files: those that ship, then the user's, which win over shipped ones of their name. */
export async function readDeclaredPrograms(
  context: Pick<CliContext, "cwd">,
  files: readonly string[],
): Promise<readonly CliProgram[]> {
  const shipped = (await readdir(shippedFolder)).filter((name) => name.endsWith(".yaml")).sort();
  const paths = [
    ...shipped.map((name) => join(shippedFolder, name)),
    ...files.map((file) => resolve(context.cwd, file)),
  ];
  const programs = new Map<string, CliProgram>();
  for (const path of paths) {
    const program = createDeclarativeProgram(parseHarnessFile(await readText(path), path));
    programs.set(program.name, program);
  }
  return [...programs.values()];
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new AleError({
      code: "no-such-file",
      message: `the harness file ${path} cannot be read: ${(error as Error).message}`,
      remedy: "name a file of schema ale/harness@1 with --harness-file",
      cause: error,
    });
  }
}
