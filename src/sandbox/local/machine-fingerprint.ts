import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "../../contract/json-value.ts";
import type { SandboxSpec } from "../provider.ts";
import type { Controller } from "./cgroup-roots.ts";
import type { LocalHost } from "./local-host.ts";

/** What the machine is, equal for equal machines: no ids, no times. */
export function machineFingerprint(
  host: LocalHost,
  spec: SandboxSpec,
  root: string | undefined,
  enforced: ReadonlySet<Controller>,
): JsonValue {
  const system = root ?? "/";
  return {
    provider: "local",
    os: osName(system),
    kernel: release(),
    arch: arch(),
    image: root === undefined ? "host" : host.base.key,
    packages: packagesDigest(system),
    privileged: host.abilities.privileged,
    network: typeof spec.network === "string" ? spec.network : { allow: spec.network.allow },
    limits: {
      cpus: { value: spec.cpus, enforced: enforced.has("cpu") },
      memoryMb: { value: spec.memoryMb, enforced: enforced.has("memory") },
      maxProcesses: { value: spec.maxProcesses, enforced: enforced.has("pids") },
      diskMb: { value: spec.diskMb, enforced: true, kind: host.abilities.disk },
    },
  };
}

function osName(root: string): string {
  const text = readIfThere(join(root, "usr/lib/os-release")) || readIfThere(join(root, "etc/os-release"));
  return /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(text)?.[1] ?? "unknown Linux";
}

/** Over Debian's list of installed packages and versions; empty where there is none. */
function packagesDigest(root: string): string {
  const text = readIfThere(join(root, "var/lib/dpkg/status"));
  if (text === "") return "";
  const installed = text.match(/^(Package|Version): .*$/gm) ?? [];
  return `sha256:${createHash("sha256").update(installed.join("\n")).digest("hex")}`;
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
