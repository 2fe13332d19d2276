import { existsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import type { SandboxSpec } from "../provider.ts";
import { type Accelerator, acceleratorFinding } from "./accelerator.ts";
import { findVmImage, type VmImage } from "./image/vm-image.ts";
import { missingPrograms } from "./qemu/host-programs.ts";
import { shapeFor } from "./qemu/machine-shape.ts";
import { usualVmImage } from "./vm-options.ts";

/** What stands between this host and such a virtual machine. */
export async function preflightVm(
  cacheDir: string,
  spec: SandboxSpec | undefined,
  accelerator: (image: VmImage) => Promise<Accelerator>,
): Promise<readonly Finding[]> {
  const missing = missingPrograms();
  if (missing.length > 0) return missing;
  if (spec?.os === "windows") return [windowsFinding];
  const name = spec?.image ?? usualVmImage;
  let image: VmImage | undefined;
  try {
    image = await findVmImage(cacheDir, name);
  } catch (error) {
    return [findingOf(error)];
  }
  if (image === undefined) return [missingImage(name)];
  const found = await accelerator(image);
  return [acceleratorFinding(found), ...(spec === undefined ? [] : specFindings(spec, found))];
}

/** The guest is built and spoken to; a whole trial in one is not there yet. */
export const windowsFinding: Finding = {
  severity: "error",
  code: "vm-windows",
  message:
    "No trial can be sat in a Windows guest yet; docs/status.md says what is there and what is missing.",
  remedy: "Leave the task out of this exam.",
};

export function missingImage(name: string): Finding {
  return {
    severity: "error",
    code: "vm-image",
    message: `The image ${name} of virtual machines has not been built on this host.`,
    remedy: `ale sandboxes build ${name}`,
  };
}

function specFindings(spec: SandboxSpec, accelerator: Accelerator): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (severity: Finding["severity"], code: string, message: string, remedy: string): void => {
    findings.push({ severity, code, message, remedy });
  };
  for (const mount of spec.mounts.filter((entry) => !existsSync(entry.source))) {
    const message = `${mount.source}, to be shown as ${mount.target}, does not exist.`;
    add("error", "mount-absent", message, "Create it, or correct the path.");
  }
  if (spec.diskMb < 4) {
    add("error", "disk-too-small", `A disk of ${spec.diskMb} MiB is too small.`, "Give it 4 MiB or more.");
  }
  const { memoryMb, cpus } = shapeFor(accelerator.kind, spec);
  const hostMb = Math.floor(totalmem() / 1024 / 1024);
  if (memoryMb > hostMb) {
    const message = `The machine takes ${memoryMb} MiB with its system, this host has ${hostMb}.`;
    add("error", "memory", message, "Use a larger host, or give the task less.");
  }
  if (cpus > availableParallelism()) {
    const message = `The machine is to have ${cpus} processors, this host has ${availableParallelism()}.`;
    add("warning", "cpus", message, "Use a larger host.");
  }
  return findings;
}
