import { link, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { identifyProcess } from "../../sandbox/process-identity.ts";
import { type Claim, type Conductor, claimsFolder, mayBeAlive, readClaims } from "./conductor.ts";

/** Held for as long as this process conducts the exam. */
export interface RunLock extends AsyncDisposable {
  /** Number of the claim. */
  readonly claim: number;
}

export interface RunLockOptions {
  readonly clock: Clock;
  /** Folder of the sockets on which this process shows its trials' screens. */
  readonly screens: string;
}

/**
 * Claims a run directory, so that no two conductors run the same exam. Claims are numbered files: the highest one
 * holds, a dead conductor's is passed by claiming the next number, and a claim once made is checked against
 * every other that is alive. Rejects with an `AleError` coded `run-locked`.
 */
export async function lockRun(runDir: string, { clock, screens }: RunLockOptions): Promise<RunLock> {
  const folder = claimsFolder(runDir);
  await makeFolder(folder);
  const me: Conductor = {
    host: hostname(),
    ...(identifyProcess(process.pid) ?? { pid: process.pid }),
    since: clock.now(),
    screens,
  };
  for (;;) {
    const claims = await readClaims(runDir);
    refuseIfHeld(runDir, claims, undefined);
    const number = Math.max(0, ...claims.map((claim) => claim.number)) + 1;
    if (!(await claimNumber(folder, number, me))) continue;
    try {
      refuseIfHeld(runDir, await readClaims(runDir), number);
    } catch (error) {
      await rm(join(folder, String(number)));
      throw error;
    }
    for (const claim of claims) await rm(join(folder, String(claim.number)), { force: true });
    return {
      claim: number,
      [Symbol.asyncDispose]: () => rm(join(folder, String(number)), { force: true }),
    };
  }
}

function refuseIfHeld(runDir: string, claims: readonly Claim[], own: number | undefined): void {
  for (const { number, holder } of claims) {
    if (number === own || !mayBeAlive(holder)) continue;
    throw new AleError({
      code: "run-locked",
      message: `the exam in ${runDir} is being run by process ${holder.pid} on ${holder.host}`,
      remedy: `Wait for it or stop it. If it is certainly gone, remove ${join(claimsFolder(runDir), String(number))}.`,
      fields: { run: basename(runDir), pid: holder.pid, host: holder.host },
    });
  }
}

/** Makes the claim's file appear whole or not at all; false when another has the number. */
async function claimNumber(folder: string, number: number, me: Conductor): Promise<boolean> {
  const draft = join(folder, `draft-${me.pid}-${number}`);
  await writeFile(draft, JSON.stringify(me));
  try {
    await link(draft, join(folder, String(number)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
