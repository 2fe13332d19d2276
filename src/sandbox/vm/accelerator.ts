import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus, release } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import { hostEnvironment } from "../local/run-host-program.ts";
import { findVmImage, type VmImage } from "./image/vm-image.ts";
import { hostProgram } from "./qemu/host-programs.ts";
import { usualVmImages } from "./vm-options.ts";

/** What runs the guest's processor, and why. */
export interface Accelerator {
  readonly kind: "kvm" | "tcg";
  readonly reason: string;
}

/** A kernel under KVM is through in one or two seconds. */
const probeMs = 25_000;

/**
 * KVM where it truly works: where a kernel boots under it, as a device that opens proves nothing. What was found is kept
 * for this host's kernel and processor.
 */
export async function findAccelerator(cacheDir: string, image: VmImage): Promise<Accelerator> {
  try {
    accessSync("/dev/kvm", constants.R_OK | constants.W_OK);
  } catch {
    return { kind: "tcg", reason: "/dev/kvm is not there, or not this user's to open" };
  }
  const probe = await probeFor(cacheDir, image);
  if (probe === undefined) {
    return { kind: "kvm", reason: "/dev/kvm opens; without the image vm-linux nothing that boots was tried" };
  }
  const host = `${release()} ${cpus()[0]?.model ?? ""} ${probe.digest}`;
  const key = createHash("sha256").update(host).digest("hex").slice(0, 16);
  const note = join(cacheDir, "vm", `kvm-${key}`);
  const known = await readFile(note, "utf8").catch(() => "");
  const boots = known === "" ? await bootsUnderKvm(probe) : known === "boots";
  if (known === "") {
    await mkdir(join(cacheDir, "vm"), { recursive: true });
    await writeFile(note, boots ? "boots" : "hangs");
  }
  return boots
    ? { kind: "kvm", reason: "a kernel boots under it" }
    : { kind: "tcg", reason: "/dev/kvm opens, but a kernel does not boot under it" };
}

/** A warning where guests are emulated: everything in them is ten to thirty times slower. */
export function acceleratorFinding(accelerator: Accelerator): Finding {
  if (accelerator.kind === "kvm") {
    return {
      severity: "note",
      code: "vm-kvm",
      message: `Virtual machines run under KVM: ${accelerator.reason}.`,
    };
  }
  return {
    severity: "warning",
    code: "vm-emulated",
    message: `Virtual machines are emulated, ten to thirty times slower than this host: ${accelerator.reason}.`,
    remedy:
      "Run on a host with KVM, or one whose hypervisor allows nested machines; give tasks longer limits here.",
  };
}

/** The image whose kernel shows whether KVM works: one that boots from its own disk has none to try. */
async function probeFor(cacheDir: string, image: VmImage): Promise<VmImage | undefined> {
  if (image.start.kind === "kernel") return image;
  return await findVmImage(cacheDir, usualVmImages.linux).catch(() => undefined);
}

/** The kernel finds no first program, panics and makes QEMU end: nothing is written anywhere. */
function bootsUnderKvm(image: VmImage): Promise<boolean> {
  const { start } = image;
  if (start.kind !== "kernel") return Promise.resolve(false);
  const child = spawn(
    hostProgram("qemu-system-x86_64"),
    [
      ...["-machine", "pc,accel=kvm", "-cpu", "host", "-m", "256", "-nodefaults", "-display", "none"],
      ...["-kernel", start.kernel, "-initrd", start.initrd, "-no-reboot"],
      ...["-append", "panic=-1 rdinit=/ale-probe root=/dev/ale-probe"],
    ],
    { cwd: "/", env: hostEnvironment, stdio: "ignore" },
  );
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), probeMs);
    child.once("error", () => resolve(false));
    child.once("exit", (code) => {
      clearTimeout(late);
      resolve(code === 0);
    });
  });
}
