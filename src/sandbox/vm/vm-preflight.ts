import { existsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import type { SandboxSpec } from "../provider.ts";
import { type Accelerator, acceleratorFinding } from "./accelerator.ts";
import { systemOf } from "./guest/system-of.ts";
import { findVmImage, type VmImage } from "./image/vm-image.ts";
import { missingPrograms } from "./qemu/host-programs.ts";
import { shapeFor } from "./qemu/machine-shape.ts";
import { usualVmImages } from "./vm-options.ts";

/**
 * What stands between this host and such a virtual machine.
 * @param missing programs that this host lacks, each as a finding.
 */
export async function preflightVm(
  cacheDir: string,
  spec: SandboxSpec | undefined,
  accelerator: (image: VmImage) => Promise<Accelerator>,
  missing: readonly Finding[] = missingPrograms(),
): Promise<readonly Finding[]> {
  if (missing.length > 0) return missing;
  // In general either will do: who asks for no machine in particular asks whether there can be any.
  const wanted =
    spec === undefined
      ? [usualVmImages.linux, usualVmImages.windows]
      : [spec.image ?? usualVmImages[spec.os ?? "linux"]];
  let image: VmImage | undefined;
  try {
    for (const name of wanted) image ??= await findVmImage(cacheDir, name);
  } catch (error) {
    return [findingOf(error)];
  }
  if (image === undefined) return [missingImage(wanted[0] ?? usualVmImages.linux)];
  const found = await accelerator(image);
  return [acceleratorFinding(found), ...(spec === undefined ? [] : specFindings(spec, image, found))];
}

/** How to come by an image that is not there. */
export function missingImage(name: string): Finding {
  const found = { severity: "error", code: "vm-image" } as const;
  const { linux, windows } = usualVmImages;
  if (name !== linux && name !== windows) {
    return {
      ...found,
      message: `There is no recipe for an image ${name} of virtual machines: they are built from recipes, ${linux} and ${windows}. Images of registries, and the others of ours, are for containers.`,
      remedy: `Use --provider container; or name ${linux} or ${windows} in the task's sandbox.image, or none.`,
    };
  }
  return {
    ...found,
    message: `The image ${name} of virtual machines has not been built on this host.`,
    remedy:
      name === windows
        ? "Build it from your own installation disc: ale sandboxes build windows --iso Windows.iso --drivers virtio-win.iso. Or leave the task out of this exam."
        : `ale sandboxes build ${name}`,
  };
}

/** What is wrong with an image of another system than the task asks for. */
export function wrongSystem(image: VmImage, spec: SandboxSpec): Finding | undefined {
  const wanted = spec.os ?? "linux";
  if (image.os === wanted) return undefined;
  return {
    severity: "error",
    code: "vm-system",
    message: `The image ${image.name} is of ${names[image.os]}, and the task asks for ${names[wanted]}.`,
    remedy: "Name another image in the task's sandbox.image, or correct its sandbox.os.",
  };
}

const names: Readonly<Record<VmImage["os"], string>> = { linux: "Linux", windows: "Windows" };

function specFindings(spec: SandboxSpec, image: VmImage, accelerator: Accelerator): readonly Finding[] {
  const wrong = wrongSystem(image, spec);
  if (wrong !== undefined) return [wrong];
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
  const { memoryMb, cpus } = shapeFor(accelerator.kind, spec, systemOf(image.os).systemMb);
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
