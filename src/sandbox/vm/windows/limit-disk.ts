import { Buffer } from "node:buffer";
import { type CommandResult, succeeded } from "../../command.ts";
import type { ServedCommands } from "../../served/served-commands.ts";

const mebibyte = 1024 * 1024;

/**
 * Limits what the agent may write to so many MiB more than its account holds already, by a quota of NTFS: of all volumes
 * and folders together, as they are one. False where Windows does not do it.
 */
export async function limitDisk(commands: Pick<ServedCommands, "exec">, diskMb: number): Promise<boolean> {
  const fsutil = (...words: readonly string[]): Promise<CommandResult> =>
    commands.exec(["fsutil", "quota", ...words], { user: "root", timeoutMs: 60_000 });
  if (!succeeded(await fsutil("enforce", "C:"))) return false;
  const held = await fsutil("query", "C:");
  const limit = String(usedBy(Buffer.from(held.stdout).toString("utf8"), "agent") + diskMb * mebibyte);
  return succeeded(await fsutil("modify", "C:", limit, limit, "agent"));
}

/** Bytes that `fsutil quota query` tells of an account; 0 for one it does not name, which owns nothing. */
export function usedBy(told: string, account: string): number {
  for (const part of told.split(/^\s*SID Name\s*=/m).slice(1)) {
    const name = /^\s*(?:[^\\\n]*\\)?(\S+)/.exec(part)?.[1];
    const used = /^\s*Quota Used\s*=\s*(\d+)/m.exec(part)?.[1];
    if (name?.toLowerCase() === account && used !== undefined) return Number(used);
  }
  return 0;
}
