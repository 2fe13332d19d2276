import { createHash } from "node:crypto";
import { type Stats, statSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Mount, SandboxSpec } from "../provider.ts";
import type { EngineFacts } from "./engine-facts.ts";
import { machineConfig } from "./machine-config.ts";

/** The machine without what is its alone: as it can be made before anybody asks for it. */
export function sharedSpec(spec: SandboxSpec): SandboxSpec {
  return { ...spec, mounts: spec.mounts.filter((mount) => mount.own !== true) };
}

/**
 * Of what kind a machine is: all that a started container cannot change any more. Its environment comes with every command;
 * a source that has been replaced on the host is another, be it at the same path.
 */
export function machineKind(spec: SandboxSpec, imageId: string, facts: EngineFacts): string {
  const sources = spec.mounts.map(({ source }) => {
    const stats = statsOf(source);
    return stats === undefined ? "" : `${stats.dev} ${stats.ino}`;
  });
  const config = machineConfig(spec, imageId, facts, {}, "");
  return createHash("sha256")
    .update(JSON.stringify([config, sources]))
    .digest("hex");
}

/** What cannot be looked at will fail when the machine is made. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Above either, mounting is faster than copying. */
const [mostBytes, mostEntries] = [16 * 1024 * 1024, 64];

/** Whether what is the machine's own is copied sooner than a machine is made. */
export async function isSoonCopied(mounts: readonly Mount[]): Promise<boolean> {
  const waiting = mounts.filter((mount) => mount.own === true).map(({ source }) => source);
  let [bytes, entries] = [0, 0];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) return false;
    bytes += stats.size;
    if (++entries > mostEntries || bytes > mostBytes) return false;
    if (!stats.isDirectory()) continue;
    for (const name of await readdir(path)) waiting.push(join(path, name));
  }
  return true;
}
