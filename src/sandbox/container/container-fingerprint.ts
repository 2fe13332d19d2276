import { createHash } from "node:crypto";
import type { JsonValue } from "../../contract/json-value.ts";
import type { SandboxSpec } from "../provider.ts";
import type { EngineFacts } from "./engine-facts.ts";
import type { FoundImage } from "./find-image.ts";
import { diskKind, networkMode } from "./machine-config.ts";

/** Label of an image that holds the digest of its list of packages; see {@link packagesDigest}. */
export const packagesLabel = "ale.packages";

/** Over a list of packages and versions, as in `/var/lib/dpkg/status`; empty for an empty one. */
export function packagesDigest(list: string): string {
  const lines = list.match(/^(Package|Version): .*$/gm) ?? [];
  return lines.length === 0 ? "" : `sha256:${createHash("sha256").update(lines.join("\n")).digest("hex")}`;
}

/** What the machine is, equal for equal machines: no ids, no times. */
export function containerFingerprint(
  spec: SandboxSpec,
  image: FoundImage,
  packages: string,
  system: readonly string[],
  facts: EngineFacts,
): JsonValue {
  const [kernel = "", arch = "", os = ""] = system;
  const disk = diskKind(spec, facts);
  return {
    provider: "container",
    engine: { name: facts.name, version: facts.version, rootless: facts.rootless },
    os,
    kernel,
    arch,
    image: { id: image.id, digests: [...image.digests] },
    packages,
    network: typeof spec.network === "string" ? spec.network : { allow: spec.network.allow },
    networkMode: networkMode(spec, facts),
    gpus: spec.gpus ?? 0,
    limits: {
      cpus: { value: spec.cpus, enforced: facts.limits.cpu },
      memoryMb: { value: spec.memoryMb, enforced: facts.limits.memory },
      maxProcesses: { value: spec.maxProcesses, enforced: facts.limits.pids },
      diskMb: { value: spec.diskMb, enforced: disk === "memory", kind: disk },
    },
  };
}
