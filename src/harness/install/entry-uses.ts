import { readdir, readlink, rm, symlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { identifyProcess, isAlive } from "../../sandbox/process-identity.ts";
import type { HarnessUser } from "./harness-store.ts";

/** Folder of the store with a folder for each entry that is in use, with a link for each use. */
const usesFolder = "uses";

/**
 * Notes that a process uses an entry, until disposed of or the process ends. The note is a link that leads to host, process
 * number and start time, so it is whole as soon as it is there. Whoever removes entries must be kept out meanwhile.
 * @param entry name in the store.
 */
export async function noteUse(storeDir: string, entry: string, ownerPid: number): Promise<AsyncDisposable> {
  const folder = join(storeDir, usesFolder, entry);
  await makeFolder(folder);
  const user = `${hostname()}:${ownerPid}:${identifyProcess(ownerPid)?.startTime ?? ""}`;
  for (let number = 1; ; number++) {
    const path = join(folder, String(number));
    try {
      await symlink(user, path);
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Who uses an entry now. Notes of processes of this host that are gone are taken away; another host cannot be asked. */
export async function usersOf(storeDir: string, entry: string): Promise<readonly HarnessUser[]> {
  const folder = join(storeDir, usesFolder, entry);
  const users: HarnessUser[] = [];
  for (const name of (await orAbsent(readdir(folder))) ?? []) {
    const note = join(folder, name);
    const [, host, pid, startTime] = /^(.*):(\d+):(\d*)$/.exec((await orAbsent(readlink(note))) ?? "") ?? [];
    if (host === undefined || pid === undefined) continue;
    const identity = { pid: Number(pid), ...(startTime ? { startTime } : {}) };
    if (host === hostname() && !isAlive(identity)) await rm(note, { force: true });
    else users.push({ host, pid: identity.pid, note });
  }
  if (users.length === 0) await rm(folder, { recursive: true, force: true });
  return users;
}
