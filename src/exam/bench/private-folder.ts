import { mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { isAlive } from "../../sandbox/process-identity.ts";

/** A folder only this user can look into, removed when disposed of. */
export interface PrivateFolder extends AsyncDisposable {
  readonly dir: string;
}

const namePattern = /^ale-[a-z-]+@(?<host>.+)@(?<pid>\d+)-[A-Za-z0-9]{6}$/;

/**
 * Makes a private (mode 0700) folder below `parent`, making `parent` too. Its name says which process it belongs to,
 * so that {@link sweepPrivateFolders} can tell what a killed one has left.
 * @param purpose lower-case letters and `-`.
 */
export async function makePrivateFolder(parent: string, purpose: string): Promise<PrivateFolder> {
  await makeFolder(parent, { mode: 0o700 });
  const dir = await mkdtemp(join(parent, `ale-${purpose}@${hostname()}@${process.pid}-`));
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

/** Removes the private folders below `parent` of processes of this host that are gone. */
export async function sweepPrivateFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const { host, pid } = namePattern.exec(name)?.groups ?? {};
    if (host !== hostname() || isAlive({ pid: Number(pid) })) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}
