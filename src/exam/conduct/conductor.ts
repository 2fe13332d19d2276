import { readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { orAbsent } from "../../files/or-absent.ts";
import { isAlive, type ProcessIdentity } from "../../sandbox/process-identity.ts";

/** The process that conducts an exam. */
export interface Conductor extends ProcessIdentity {
  readonly host: string;
  /** When it took the exam up, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** Folder of the sockets on which it shows its trials' screens: see `screenSocket`. */
  readonly screens: string;
}

/** A conductor's word that a run is its own. */
export interface Claim {
  readonly number: number;
  readonly holder: Conductor;
}

/** Where claims on a run lie. */
export function claimsFolder(runDir: string): string {
  return join(runDir, "conductors");
}

export async function readClaims(runDir: string): Promise<readonly Claim[]> {
  const folder = claimsFolder(runDir);
  const claims: Claim[] = [];
  for (const name of (await orAbsent(readdir(folder))) ?? []) {
    if (!/^\d+$/.test(name)) continue;
    // Gone again: released between the listing and the reading.
    const text = await orAbsent(readFile(join(folder, name), "utf8"));
    if (text !== undefined) claims.push({ number: Number(name), holder: JSON.parse(text) as Conductor });
  }
  return claims;
}

/** A process on another host cannot be judged. */
export function mayBeAlive(holder: Conductor): boolean {
  return holder.host !== hostname() || isAlive(holder);
}

/** Who conducts the run now; `undefined` when nobody does. */
export async function conductorOf(runDir: string): Promise<Conductor | undefined> {
  const alive = (await readClaims(runDir)).filter(({ holder }) => mayBeAlive(holder));
  return alive.toSorted((one, other) => one.number - other.number).at(-1)?.holder;
}
