import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { type ExamFile, examFileSchema } from "../contract/exam-file.ts";
import { parseYamlFile } from "../yaml/parse-yaml-file.ts";
import type { CliContext } from "./cli-context.ts";
import { friendlyPath } from "./friendly-path.ts";
import { printFindings } from "./output/print-findings.ts";
import { packageRoot } from "./package-info.ts";

const demonstration = join(packageRoot, "exams", "demonstration.yaml");

/**
 * Reads an `exam.yaml`; the task folders it names become absolute. Every fault is printed with its line; then
 * throws `malformed-file`, or `no-such-file`.
 */
export async function readExamFile(path: string, context: CliContext): Promise<ExamFile> {
  const absolute = resolve(context.cwd, path);
  const text = await readFile(absolute, "utf8").catch((error: unknown) => {
    throw new AleError({
      code: "no-such-file",
      message: `the exam file ${path} cannot be read`,
      remedy: `npx ale run ${friendlyPath(demonstration, context.cwd)} is one that works`,
      cause: error,
    });
  });
  const parsed = parseYamlFile<ExamFile>({ path: absolute, text, schema: examFileSchema });
  if (parsed.kind === "malformed") {
    printFindings(parsed.findings, context.err, context.cwd);
    throw new AleError({
      code: "malformed-file",
      message: `${path} is not a valid exam file`,
      remedy: "correct what is listed above",
    });
  }
  const { value } = parsed;
  const roots = value.tasks.roots.map((root) => resolve(dirname(absolute), root));
  return { ...value, tasks: { ...value.tasks, roots } };
}
