import { createHash, randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { GuestAgentClient } from "../guest-agent/guest-agent-client.ts";
import { imageFolder, sizesOf, type VmImageFacts } from "../image/vm-image.ts";
import { hostProgram, runTool } from "../qemu/host-programs.ts";
import { QemuProcess } from "../qemu/qemu-process.ts";

export interface BuildWindowsImageOptions {
  /** Holds `vm-windows/`, the recipe. */
  readonly imagesDir: string;
  readonly cacheDir: string;
  readonly clock: Clock;
  /** The installation disc; whose licence allows it is the caller's to know. */
  readonly iso: string;
  /** The disc of virtio drivers with the guest agent, `virtio-win.iso`. */
  readonly driversIso: string;
  readonly accelerator: "kvm" | "tcg";
  /** As the disc names it. */
  readonly edition?: string;
  readonly productKey?: string;
  /** Default `windows`. */
  readonly name?: string;
  readonly onLine: (line: string) => void;
  readonly signal?: AbortSignal;
}

const diskSize = "64G";
const installLimitMs = 4 * 3600 * 1000;

/** Answers of the installer, filled in; the recipe names each `{{so}}`. */
export function fillAnswers(text: string, values: Readonly<Record<string, string>>): string {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  });
  // The comment at the top names them, too: what is between elements must not be left over.
  const left = /<[^!<>]*>\{\{(\w+)\}\}/.exec(filled);
  if (left === null) return filled;
  throw new AleError({ code: "image-build", message: `The installer's answers lack ${left[1]}.` });
}

/**
 * Installs Windows unattended: the answers are on a floppy that QEMU makes of a folder, the drivers on a second disc. It is
 * done when the guest agent answers, which is installed last; then the guest is shut down and its disk is the image.
 * Rejects with an `AleError` coded `image-build` or `guest-silent`.
 */
export async function buildWindowsImage(options: BuildWindowsImageOptions): Promise<VmImageFacts> {
  const { imagesDir, cacheDir, clock, iso, driversIso, name = "windows", onLine, signal } = options;
  const recipe = join(imagesDir, "vm-windows");
  const folder = imageFolder(cacheDir, name);
  await mkdir(join(folder, ".."), { recursive: true });
  const work = await mkdtemp(`${folder}.new-`);
  try {
    const floppy = join(work, "answers");
    await mkdir(floppy);
    const answers = fillAnswers(await readFile(join(recipe, "autounattend.xml"), "utf8"), {
      password: randomBytes(12).toString("base64url"),
      edition: options.edition ?? "Windows 10 Pro",
      key: options.productKey ?? "",
    });
    await writeFile(join(floppy, "autounattend.xml"), answers, { mode: 0o600 });
    for (const file of ["SetupComplete.cmd", "finish.ps1"]) await cp(join(recipe, file), join(floppy, file));
    const disk = join(work, "base.qcow2");
    await runTool("qemu-img", ["create", "-q", "-f", "qcow2", disk, diskSize], "image-build");
    onLine("installing: this takes an hour under KVM, most of a day without");
    const qemu = await QemuProcess.start(
      {
        program: hostProgram("qemu-system-x86_64"),
        shape: { accelerator: options.accelerator, cpus: 2, memoryMb: 4096 },
        boot: { kind: "install", discs: [iso, driversIso], floppy },
        folder: work,
        disk,
        clock,
      },
      signal,
    );
    try {
      const agent = new GuestAgentClient(qemu.port("agent"), clock);
      await agent.greet(installLimitMs, signal);
      onLine("installed: shutting down");
      agent.close();
    } finally {
      await qemu.shutDown(300_000, clock);
    }
    await rm(floppy, { recursive: true });
    const hash = createHash("sha256")
      .update(answers)
      .update(await runTool("qemu-img", ["info", disk], "image-build"));
    const digest = `sha256:${hash.digest("hex")}`;
    const facts: VmImageFacts = {
      schema: "ale/vm-image@1",
      name,
      os: "windows",
      digest,
      packages: [],
      boot: "disk",
      files: await sizesOf(work, ["base.qcow2"]),
    };
    await writeFile(join(work, "image.json"), `${JSON.stringify(facts, null, 2)}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
    return facts;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
