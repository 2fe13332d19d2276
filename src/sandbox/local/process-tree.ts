import { readdirSync, readlinkSync } from "node:fs";
import type { Clock } from "../../contract/clock.ts";
import { readProcessFile, readProcessStat, signalProcess } from "./process-identity.ts";

/** The first process a launcher started inside: leader of the command's session. */
export function leaderOf(launcherPid: number): number | undefined {
  const children = readProcessFile(launcherPid, `task/${launcherPid}/children`) ?? "";
  const first = Number.parseInt(children, 10);
  return Number.isNaN(first) ? undefined : first;
}

/** Host numbers of the processes in a machine's process namespace, but its first and what that one waits for. */
export function processesInside(initPid: number): readonly number[] {
  const namespace = namespaceOf(initPid);
  if (namespace === undefined) return [];
  return allProcesses().filter(
    (pid) => pid !== initPid && namespaceOf(pid) === namespace && !isHolder(pid, initPid) && !isZombie(pid),
  );
}

/** True when the process is in the machine whose first process is given, and not only launches into it. */
export function isInside(pid: number, initPid: number): boolean {
  return namespaceOf(pid) === namespaceOf(initPid);
}

/**
 * Ends a launcher's descendants, and so the launcher; those that left the family by a double fork are not
 * found. The launcher goes last: it has to collect what it started.
 */
export async function killTree(launcherPid: number, clock: Clock): Promise<void> {
  for (;;) {
    const alive = descendantsOf(launcherPid).filter((pid) => !isZombie(pid));
    if (alive.length === 0) return;
    const inside = alive.filter((pid) => !isInside(pid, process.pid));
    for (const pid of inside.length > 0 ? inside : alive) signalProcess(pid, "SIGKILL");
    await clock.sleep(1);
  }
}

function descendantsOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const other of allProcesses()) {
    const parent = readProcessStat(other)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), other]);
  }
  const found: number[] = [];
  for (const pending = [pid]; pending.length > 0; ) {
    const next = pending.pop() as number;
    found.push(next);
    pending.push(...(children.get(next) ?? []));
  }
  return found;
}

function allProcesses(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function isHolder(pid: number, initPid: number): boolean {
  return readProcessStat(pid)?.parent === initPid && readProcessFile(pid, "cmdline") === "sleep\0infinity\0";
}

function isZombie(pid: number): boolean {
  const state = readProcessStat(pid)?.state;
  return state === undefined || state === "Z" || state === "X";
}
