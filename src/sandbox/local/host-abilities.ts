import { existsSync, readFileSync } from "node:fs";
import { type CgroupRoots, findCgroupRoots } from "./cgroup-roots.ts";
import type { HostTools } from "./host-tools.ts";

/** What this process may do on this host. */
export interface HostAbilities {
  /**
   * True for the host's administrator: agents get a host user number of their own and the disk is an image.
   * False: everything happens inside user namespaces of the caller.
   */
  readonly privileged: boolean;
  /** `image`: a loop-mounted file system of the exact size. `memory`: a tmpfs of that size. */
  readonly disk: "image" | "memory";
  readonly cgroups: CgroupRoots;
}

/** CAP_SETGID, CAP_SETUID and CAP_SYS_ADMIN (capabilities(7)). */
const neededCapabilities = (1n << 6n) | (1n << 7n) | (1n << 21n);

/** What this process may do here, with the programs that were found. */
export function findHostAbilities(tools: HostTools): HostAbilities {
  const privileged = isPrivileged();
  const image = privileged && tools.has("mkfs.ext4") && existsSync("/dev/loop-control");
  return { privileged, disk: image ? "image" : "memory", cgroups: findCgroupRoots() };
}

function isPrivileged(): boolean {
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(read("/proc/self/status"))?.[1] ?? "0"}`);
  const mapsEveryUser = /^\s*0\s+0\s+4294967295\s*$/.test(read("/proc/self/uid_map"));
  return mapsEveryUser && (effective & neededCapabilities) === neededCapabilities;
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}
