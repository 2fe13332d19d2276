import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "../../sandbox/process-identity.ts";

/** Held for as long as this process conducts the exam. */
export interface RunLock extends AsyncDisposable {
  /** Number of the claim. */
  readonly claim: number;
}

/**
 * Claims a run directory, so that no two conductors run the same exam. Claims are numbered files: the highest one
 * holds, a dead conductor's is passed by claiming the next number, and a claim once made is checked against
 * every other that is alive. Rejects with an `AleError` coded `run-locked`.
 */
export async function lockRun(runDir: string): Promise<RunLock> {
  const folder = join(runDir, "conductors");
  await mkdir(folder, { recursive: true });
  const me: Conductor = { host: hostname(), ...(identifyProcess(process.pid) ?? { pid: process.pid }) };
  for (;;) {
    const claims = await readClaims(folder);
    refuseIfHeld(runDir, claims, undefined);
    const number = Math.max(0, ...claims.map((claim) => claim.number)) + 1;
    if (!(await claimNumber(folder, number, me))) continue;
    try {
      refuseIfHeld(runDir, await readClaims(folder), number);
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

/** The process that conducts an exam. */
interface Conductor extends ProcessIdentity {
  readonly host: string;
}

interface Claim {
  readonly number: number;
  readonly holder: Conductor;
}

async function readClaims(folder: string): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  for (const name of await readdir(folder)) {
    if (!/^\d+$/.test(name)) continue;
    // Gone again: released between the listing and the reading.
    const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
    if (text !== undefined) claims.push({ number: Number(name), holder: JSON.parse(text) as Conductor });
  }
  return claims;
}

/** A process on another host cannot be judged. */
function mayBeAlive(holder: Conductor): boolean {
  return holder.host !== hostname() || isAlive(holder);
}

function refuseIfHeld(runDir: string, claims: readonly Claim[], own: number | undefined): void {
  for (const { number, holder } of claims) {
    if (number === own || !mayBeAlive(holder)) continue;
    throw new AleError({
      code: "run-locked",
      message: `the exam in ${runDir} is being run by process ${holder.pid} on ${holder.host}`,
      remedy: `Wait for it or stop it. If it is certainly gone, remove ${join(runDir, "conductors", String(number))}.`,
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
