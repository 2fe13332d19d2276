import { lstat, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import { type TaskManifest, taskManifestSchema } from "../../contract/task-manifest.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { parseYamlFile } from "../../yaml/parse-yaml-file.ts";
import { contentHash, digestPackageFiles } from "../content-hash.ts";
import { findMarks } from "../lint/find-marks.ts";
import { listPackage, type PackageFile } from "../package-files.ts";
import { changed, readSealedIndex } from "../seal/sealed-index.ts";
import type { ReadOutcome, TaskFormat } from "../task-package.ts";
import { checkInstruction } from "./check-instruction.ts";
import { checkManifest } from "./check-manifest.ts";
import { definedVerbs } from "./defined-verbs.ts";
import { nativePackage } from "./native-package.ts";

/** Our own format: `task.yaml` of schema `ale/task@1`, `instruction.md`, `main.ts`. DESIGN section 4. */
export const nativeFormat: TaskFormat = { name: "ale", detect, read };

async function detect(dir: string): Promise<boolean> {
  const manifest = await readIfThere(join(dir, "task.yaml"));
  if (manifest !== undefined && /^schema:\s*["']?ale\//m.test(manifest)) return true;
  const [main, instruction] = await Promise.all([
    exists(join(dir, "main.ts")),
    exists(join(dir, "instruction.md")),
  ]);
  return main && (manifest !== undefined || instruction);
}

async function read(dir: string): Promise<ReadOutcome> {
  const malformed = (findings: readonly Finding[]): ReadOutcome => ({ kind: "malformed", dir, findings });

  const manifestPath = join(dir, "task.yaml");
  const manifestText = await readIfThere(manifestPath);
  if (manifestText === undefined) {
    const isThere = await lstat(manifestPath).then(
      () => true,
      () => false,
    );
    return malformed([isThere ? strangeFile(manifestPath) : missingFile(manifestPath, "the manifest")]);
  }
  const parsed = parseYamlFile<TaskManifest>({
    path: manifestPath,
    text: manifestText,
    schema: taskManifestSchema,
  });
  if (parsed.kind === "malformed") return malformed(parsed.findings);
  const manifest = parsed.value;

  const sealed = await readSealedIndex(dir);
  if (sealed.kind === "malformed") return malformed(sealed.findings);
  const instructionPath = join(dir, "instruction.md");
  const mainPath = join(dir, "main.ts");
  const instruction = await readIfThere(instructionPath);
  const source = await readIfThere(mainPath);
  const findings: Finding[] = [...(await checkManifest(dir, manifest, parsed.places))];
  if (instruction === undefined) findings.push(missingFile(instructionPath, "what the agent is told"));
  if (source === undefined && sealed.kind === "not-sealed") {
    findings.push(missingFile(mainPath, "the task's program"));
  }
  const { files, strange } = await listPackage(dir);
  findings.push(...strange.map((path) => strangeFile(join(dir, path))));
  if (instruction !== undefined) {
    const where = { path: instructionPath, text: instruction, places: parsed.places };
    const program = source === undefined ? undefined : await programText(dir, files);
    findings.push(...checkInstruction(manifest, where, program));
  }
  if (instruction === undefined || findings.some(isError)) return malformed(findings);

  const digests = await digestPackageFiles(dir, files);
  const parts = { dir, manifest, instruction, findings, marks: await findMarks(dir, files) };
  if (sealed.kind === "sealed") {
    const { index } = sealed;
    const hash = contentHash(manifest, { ...digests, hidden: index.hidden });
    if (hash !== index.contentHash) {
      return malformed([changed("sealed-changed", dir, "the open part is not the one that was sealed")]);
    }
    const verbs = new Set(index.verbs);
    return { kind: "package", task: nativePackage({ ...parts, contentHash: hash, sealed: true, verbs }) };
  }
  const verbs = definedVerbs(source ?? "");
  const hash = contentHash(manifest, digests);
  return { kind: "package", task: nativePackage({ ...parts, contentHash: hash, sealed: false, verbs }) };
}

/** The task's program: `main.ts` and every module beside it. */
async function programText(dir: string, files: readonly PackageFile[]): Promise<string> {
  const modules = files.filter(({ path }) => path.endsWith(".ts") && !/^(input|reference)\//.test(path));
  const texts = await Promise.all(modules.map(({ path }) => readFile(join(dir, path), "utf8")));
  return texts.join("\n");
}

function isError(finding: Finding): boolean {
  return finding.severity === "error";
}

function missingFile(path: string, what: string): Finding {
  return {
    severity: "error",
    code: "missing-file",
    message: `${what} is missing: there is no such file`,
    remedy: "write it, or start from `ale tasks new`",
    path,
  };
}

function strangeFile(path: string): Finding {
  return {
    severity: "error",
    code: "not-a-plain-file",
    message: "a package holds plain files and folders only; this is a link or a special file",
    remedy: "put a copy of the file here",
    path,
  };
}

/** Only a plain file: a link could show what is none of the package's, and a pipe would never end. */
async function readIfThere(path: string): Promise<string | undefined> {
  const isPlain = (await orAbsent(lstat(path)))?.isFile() === true;
  return isPlain ? await orAbsent(readFile(path, "utf8")) : undefined;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
