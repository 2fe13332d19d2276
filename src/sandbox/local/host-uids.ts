import { mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";

/**
 * First host user number given to agents. The range up to 2,147,352,575 is used by neither distributions nor
 * systemd (systemd's UIDS-GIDS document).
 */
const firstUid = 1_900_000_000;
const uidCount = 65_536;

/** Hands every live machine a host user number of its own, across processes. */
export class HostUids {
  readonly #folder: string;

  constructor(stateDir: string) {
    this.#folder = join(stateDir, "uids");
  }

  /** Claims a number for the machine; give it back with {@link release}. */
  async claim(machineId: string): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const start = hashOf(machineId);
    for (let offset = 0; offset < uidCount; offset++) {
      const uid = firstUid + ((start + offset) % uidCount);
      try {
        // A link that leads nowhere: made with its content in one step, and only by one.
        await symlink(machineId, join(this.#folder, String(uid)));
        return uid;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
    throw new AleError({
      code: "sandbox-create",
      message: `All ${uidCount} host user numbers of the local sandbox are in use.`,
      remedy: "ale sandboxes reap",
    });
  }

  async release(uid: number): Promise<void> {
    await rm(join(this.#folder, String(uid)), { force: true });
  }

  /** Gives back the numbers of machines that are no more. */
  async releaseAllBut(liveMachineIds: () => Promise<ReadonlySet<string>>): Promise<void> {
    const claims: { path: string; machineId: string }[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const machineId = await readlink(path).catch(() => undefined);
      if (machineId !== undefined) claims.push({ path, machineId });
    }
    // Read after the claims: a machine is always labelled before it claims.
    const live = await liveMachineIds();
    for (const claim of claims) if (!live.has(claim.machineId)) await rm(claim.path, { force: true });
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % uidCount;
}
