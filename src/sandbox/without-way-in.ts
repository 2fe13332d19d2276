import type { SandboxSpec } from "./provider.ts";

/** The machine without the mounts that lead to the host's sockets, for providers that forward ports to those. */
export function withoutWayIn(spec: SandboxSpec): SandboxSpec {
  return { ...spec, mounts: spec.mounts.filter((mount) => mount.wayIn !== true) };
}
