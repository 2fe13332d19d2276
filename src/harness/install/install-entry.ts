import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { identifyProcess, type ProcessIdentity } from "../../sandbox/process-identity.ts";
import type { InstalledHarness } from "./harness-store.ts";
import type { HarnessPin } from "./read-pin.ts";
import { type NpmProgram, runNpm } from "./run-npm.ts";
import { removeSealed, sealFolder } from "./sealed-folder.ts";

/** What an entry says of itself, in `harness.json`. */
export type Entry = Omit<InstalledHarness, "dir"> & { readonly bytes: number };

export interface EntryInstallation {
  readonly pin: HarnessPin;
  /** Of the entry; what stands beside it is ours too. */
  readonly dir: string;
  readonly npm: NpmProgram;
  readonly ownerPid: number;
}

/** Installs a pin beside its place and renames it there, whole and read-only. Throws `harness-install` in npm's words. */
export async function installEntry(installation: EntryInstallation): Promise<void> {
  const { pin, dir } = installation;
  const partial = partialPath(dir, installation.ownerPid);
  await removeSealed(partial);
  await mkdir(partial);
  try {
    await writeFile(join(partial, "package.json"), pin.manifest);
    await writeFile(join(partial, "package-lock.json"), pin.lock);
    await npm(installation, partial, ["ci", "--ignore-scripts", "--omit=dev"]);
    if (pin.scripts.length > 0) {
      await npm(installation, partial, ["rebuild", ...pin.scripts, "--ignore-scripts=false"]);
    }
    const entry: Entry = {
      name: pin.name,
      version: pin.version,
      digest: pin.digest,
      bytes: await sealFolder(join(partial, "node_modules")),
    };
    await writeFile(join(partial, "harness.json"), `${JSON.stringify(entry, null, 2)}\n`);
    await sealFolder(partial);
    await moveInto(partial, dir);
  } catch (error) {
    await removeSealed(partial);
    throw error;
  }
}

async function npm(
  { pin, npm: program }: EntryInstallation,
  cwd: string,
  args: readonly string[],
): Promise<void> {
  const end = await runNpm(program, args, cwd);
  if (end.kind === "done") return;
  throw new AleError({
    code: "harness-install",
    message: `${pin.name} (${pin.package} ${pin.version}) could not be installed; npm ${args[0]} says:\n${end.words}`,
    remedy: remedyFor(end.words),
    fields: { harness: pin.name, package: pin.package, version: pin.version },
  });
}

function remedyFor(words: string): string {
  if (/could not be started/.test(words)) return "install npm: it comes with Node";
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(words)) {
    return "this host must reach the npm registry once: check the network and npm's proxy settings (npm config ls), and run it again";
  }
  if (/ENOSPC/.test(words)) return "free some disk space, or set ALE_CACHE_DIR to a larger disk";
  return "mend what npm says, and run it again: what is already downloaded is kept";
}

/** An entry that another process put there meanwhile is as good as ours. */
async function moveInto(partial: string, dir: string): Promise<void> {
  try {
    await rename(partial, dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    await removeSealed(partial);
  }
}

/** Names its maker, so that one left by a dead process can be told from one in the making. */
export function partialPath(dir: string, pid: number): string {
  return `${dir}.${pid}-${identifyProcess(pid)?.startTime ?? ""}.partial`;
}

/** Whether a name in the store is of an entry in the making. */
export function isPartial(name: string): boolean {
  return name.endsWith(".partial");
}

/** The process that makes, or made, a partial entry; `undefined` for any other name. */
export function makerOf(name: string): ProcessIdentity | undefined {
  const [, pid, startTime] = /\.(\d+)-(\d*)\.partial$/.exec(name) ?? [];
  if (pid === undefined) return undefined;
  return { pid: Number(pid), ...(startTime ? { startTime } : {}) };
}
