import { dirname, join, posix } from "node:path";
import type { Artifact, RefusalCode } from "../../contract/artifact.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { OutputSpec } from "../../contract/task-manifest.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { DownloadLimits, FileStat } from "../../sandbox/files.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { makeReadable } from "./host-folders.ts";
import { refuseBombs } from "./refuse-bombs.ts";

const bytesPerMb = 1024 * 1024;

/** Files and folder levels taken of one declared output. */
const shape = { maxFiles: 10_000, maxDepth: 32 } as const;

/**
 * Takes the declared outputs, and nothing else, off a quiesced machine into `into`. Every file is in the list:
 * taken, missing, or refused with the reason. What was refused is not in `into`.
 */
export async function collectOutputs(
  sandbox: Sandbox,
  outputs: readonly OutputSpec[],
  into: string,
): Promise<readonly Artifact[]> {
  await makeFolder(into);
  const artifacts: Artifact[] = [];
  // Folders first: a file declared inside a folder that is taken whole is there already.
  for (const output of [...outputs].sort((first, second) => Number(isFile(first)) - Number(isFile(second)))) {
    const inside = artifacts.some(
      (artifact) => artifact.state !== "missing" && artifact.path === output.path,
    );
    if (!inside) artifacts.push(...(await collectOne(sandbox, output, into)));
  }
  const kept = await refuseBombs(artifacts, into);
  // Their modes on the machine are in the list; here, graders of another user must be able to read them.
  await makeReadable(into);
  return kept;
}

function isFile(output: OutputSpec): boolean {
  return !output.path.endsWith("/");
}

async function collectOne(sandbox: Sandbox, output: OutputSpec, into: string): Promise<readonly Artifact[]> {
  const relative = output.path.replace(/\/+$/, "");
  const path = posix.join(sandboxLayout.output, relative);
  const blocked = await blockedBy(sandbox, relative);
  if (blocked !== undefined) return [refusal(output.path, "link-out", blocked)];
  const facts = await sandbox.stat(path);
  if (facts === undefined) return [{ state: "missing", path: output.path, required: output.required }];
  const expected = isFile(output) ? "file" : "folder";
  if (facts.type === "link") return [refusal(output.path, "link-out", `is a link, not a ${expected}`)];
  if (facts.type !== expected) {
    return [
      refusal(
        output.path,
        "special-file",
        `is not a ${expected}, as was declared, but ${typeNames[facts.type]}`,
      ),
    ];
  }
  const target = join(into, relative);
  await makeFolder(dirname(target));
  const limits: DownloadLimits = { ...shape, maxBytes: Math.floor(output.max_mb * bytesPerMb) };
  const report = await sandbox.download(path, target, limits);
  const parent = isFile(output) ? posix.dirname(relative) : relative;
  return report.files.map((file) => ({ ...file, path: posix.join(parent, file.path) }));
}

/** Why a folder above the output cannot be trusted: a link there would lead the download elsewhere. */
async function blockedBy(sandbox: Sandbox, relative: string): Promise<string | undefined> {
  const parts = ["", ...relative.split("/").slice(0, -1)];
  let path: string = sandboxLayout.output;
  for (const part of parts) {
    path = posix.join(path, part);
    const facts = await sandbox.stat(path);
    if (facts === undefined) return undefined;
    if (facts.type !== "folder") return `lies below ${path}, which is ${typeNames[facts.type]}, not a folder`;
  }
  return undefined;
}

const typeNames: Readonly<Record<FileStat["type"], string>> = {
  file: "a file",
  folder: "a folder",
  link: "a link",
  other: "a device, pipe or socket",
};

function refusal(path: string, code: RefusalCode, message: string): Artifact {
  return { state: "refused", path, code, message };
}
