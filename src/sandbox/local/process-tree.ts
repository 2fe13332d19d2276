import { readdirSync, readlinkSync } from "node:fs";
import type { Clock } from "../../contract/clock.ts";
import { readProcessFile, readProcessStat, signalProcess } from "../process-identity.ts";

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
 * Ends a launcher's descendants and their session, and so the launcher, which goes last: it has to collect
 * what it started. Who left both the family and the session is not found.
 */
export async function killTree(launcherPid: number, clock: Clock): Promise<void> {
  const leader = leaderOf(launcherPid);
  for (;;) {
    const alive = familyOf(launcherPid, leader).filter((pid) => !isZombie(pid));
    if (alive.length === 0) return;
    const inside = alive.filter((pid) => !isInside(pid, process.pid));
    for (const pid of inside.length > 0 ? inside : alive) signalProcess(pid, "SIGKILL");
    await clock.sleep(1);
  }
}

function familyOf(launcherPid: number, leader: number | undefined): readonly number[] {
  const children = new Map<number, number[]>();
  const found = new Set<number>();
  for (const pid of allProcesses()) {
    const stat = readProcessStat(pid);
    if (stat === undefined) continue;
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
    if (stat.session === leader) found.add(pid);
  }
  for (const pending = [launcherPid, ...found]; pending.length > 0; ) {
    const next = pending.pop() as number;
    found.add(next);
    pending.push(...(children.get(next) ?? []));
  }
  return [...found];
}

/** Processes whose arguments hold the text. */
export function processesNaming(text: string): readonly number[] {
  return allProcesses().filter((pid) => (readProcessFile(pid, "cmdline") ?? "").includes(text));
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
