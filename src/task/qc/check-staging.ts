import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOfFile, digestOfFiles } from "../content-hash.ts";
import { listFiles, type PackageFile } from "../package-files.ts";
import type { CheckContext } from "./check-context.ts";
import type { StagedInstance } from "./workbench.ts";

/** Reference files shorter than this are not searched for inside input files: they would be found by chance. */
const leastSearched = 64;
/** Files larger than this are compared whole but not searched. */
const mostSearched = 256 * 1024 * 1024;

/** Stages twice and compares. Returns false, with findings, when the same seed gave other bytes. */
export async function checkStagedTwice(context: CheckContext, first: StagedInstance): Promise<boolean> {
  await using second = await context.workbench.stageAfresh(context.task, context.instance);
  let same = true;
  for (const part of ["input", "reference"] as const) {
    const [one, other] = [await listFiles(first[part]), await listFiles(second[part])];
    const strange = [...one.strange, ...other.strange];
    if (strange.length > 0) {
      context.report({
        severity: "error",
        code: "not-a-plain-file",
        message: `${part} holds links or special files: ${strange.slice(0, 5).join(", ")}`,
        remedy: "let generate write plain files",
      });
    }
    if ((await digestOfFiles(first[part], one.files)) === (await digestOfFiles(second[part], other.files)))
      continue;
    same = false;
    const differing = await differences(first[part], one.files, second[part], other.files);
    context.report({
      severity: "error",
      code: "generate-not-deterministic",
      message: `generated twice from one seed, ${part} differs in ${differing.slice(0, 5).join(", ")}`,
      remedy: "draw from the context's random only; write no clock, no host name, no map order of the system",
    });
  }
  return same;
}

async function differences(
  firstDir: string,
  first: readonly PackageFile[],
  secondDir: string,
  second: readonly PackageFile[],
): Promise<readonly string[]> {
  const paths = [...new Set([...first, ...second].map((file) => file.path))].sort();
  const differing: string[] = [];
  for (const path of paths) {
    const one = first.find((file) => file.path === path);
    const other = second.find((file) => file.path === path);
    const same =
      one !== undefined &&
      one.executable === other?.executable &&
      (await digestOfFile(join(firstDir, path))) === (await digestOfFile(join(secondDir, path)));
    if (!same) differing.push(path);
  }
  return differing;
}

/** Nothing of the reference may be readable in what the agent is given: no file, whole or within another, no canary. */
export async function checkNoLeak(context: CheckContext, staged: StagedInstance): Promise<void> {
  const inputs = (await listFiles(staged.input)).files.filter((file) => file.bytes <= mostSearched);
  const references = (await listFiles(staged.reference)).files.filter((file) => file.bytes <= mostSearched);
  const { canary } = context.task.manifest;
  for (const input of inputs) {
    const bytes = await readFile(join(staged.input, input.path));
    if (bytes.includes(canary)) {
      context.report({
        severity: "error",
        code: "canary-in-input",
        message: `the task's canary stands in input/${input.path}`,
        remedy: "keep the canary in task.yaml, which no agent sees",
      });
    }
    for (const reference of references) {
      if (reference.bytes === 0 || reference.bytes > bytes.length) continue;
      if (reference.bytes < Math.min(leastSearched, bytes.length)) continue;
      if (!bytes.includes(await readFile(join(staged.reference, reference.path)))) continue;
      context.report({
        severity: "error",
        code: "reference-in-input",
        message: `reference/${reference.path} is contained in input/${input.path}`,
        remedy: "keep in reference/ only what the agent must not see; the grader is given the input as well",
      });
    }
  }
}
