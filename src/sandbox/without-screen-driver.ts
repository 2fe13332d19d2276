import type { SandboxSpec } from "./provider.ts";

/** The machine without what drives a display that is started on it, for those that have a screen of their own. */
export function withoutScreenDriver(spec: SandboxSpec): SandboxSpec {
  return { ...spec, mounts: spec.mounts.filter((mount) => mount.screenDriver !== true) };
}
