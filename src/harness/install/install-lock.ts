import { readlink, rename, rm, symlink } from "node:fs/promises";
import type { Clock } from "../../contract/clock.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { identifyProcess, isAlive } from "../../sandbox/process-identity.ts";

export interface InstallLockOptions {
  /** Path of the lock; its folder must be there. */
  readonly path: string;
  readonly ownerPid: number;
  readonly clock: Clock;
  /** Called once, when another process holds it. */
  readonly onWait: () => void;
}

/** Milliseconds between two looks at a lock that is held. */
const pollMs = 100;

/**
 * Waits until no live process holds the lock, and holds it until disposed of. It is a link that leads to its holder's
 * process number and start time, so it is whole as soon as it is there, and a later process of the same number is not
 * taken for its holder.
 *
 * It saves double work and no more: what it guards is put in place by one atomic rename. Two processes that find the same
 * dead holder at the same instant may both pass; neither ruins the other's work.
 */
export async function holdInstallLock(options: InstallLockOptions): Promise<AsyncDisposable> {
  const { path, ownerPid } = options;
  const mine = `${ownerPid}:${identifyProcess(ownerPid)?.startTime ?? ""}`;
  for (let told = false; !(await tryHold(path, mine)); ) {
    const holder = await holderOf(path);
    if (holder === undefined) continue;
    if (!isHeld(holder)) {
      await passDeadHolder(path, holder, mine);
      continue;
    }
    if (!told) options.onWait();
    told = true;
    await options.clock.sleep(pollMs);
  }
  return {
    async [Symbol.asyncDispose]() {
      if ((await holderOf(path)) === mine) await rm(path, { force: true });
    },
  };
}

async function tryHold(path: string, mine: string): Promise<boolean> {
  try {
    await symlink(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** `undefined`: released meanwhile. */
async function holderOf(path: string): Promise<string | undefined> {
  return orAbsent(readlink(path));
}

function isHeld(holder: string): boolean {
  const [pid = "", startTime = ""] = holder.split(":");
  return isAlive({ pid: Number(pid), ...(startTime === "" ? {} : { startTime }) });
}

/** Moved aside and not deleted where it stands: of two that see it dead, one moves it. */
async function passDeadHolder(path: string, holder: string, mine: string): Promise<void> {
  const aside = `${path}.dead-${mine.replace(":", "-")}`;
  const wasThere = await orAbsent(rename(path, aside).then(() => true));
  if (wasThere === undefined) return;
  const moved = await readlink(aside);
  await rm(aside, { force: true });
  // Another one was quicker, and what we moved is its lock: it gets it back.
  if (moved !== holder) await tryHold(path, moved);
}
