import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../contract/clock.ts";
import { flushFile } from "../flush-file.ts";
import { imageFolder, sizesOf, type VmImageFacts } from "../image/vm-image.ts";
import { hostProgram, runTool } from "../qemu/host-programs.ts";
import { QemuProcess } from "../qemu/qemu-process.ts";
import { QmpScreen } from "../screen/qmp-screen.ts";
import { usualVmImages } from "../vm-options.ts";
import { buildWindowsProgram } from "./build-windows-program.ts";
import { makeAnswersDisc } from "./make-answers-disc.ts";
import { openBootedWindows } from "./open-booted-windows.ts";
import { runOnce } from "./run-once.ts";

export interface BuildWindowsImageOptions {
  /** Holds `vm-windows/`, the recipe. */
  readonly imagesDir: string;
  readonly cacheDir: string;
  readonly clock: Clock;
  /** The installation disc; whose licence allows it is the caller's to know. */
  readonly iso: string;
  /** The disc of virtio drivers, `virtio-win.iso`. */
  readonly driversIso: string;
  /** Node for Windows, on this host: parts of tasks run on it in the guest. */
  readonly nodeProgram: string;
  readonly accelerator: "kvm" | "tcg";
  /** As the disc names it. Default `Windows 10 Pro`. */
  readonly edition?: string;
  readonly productKey?: string;
  /** Default `windows`. */
  readonly name?: string;
  /** Absolute path of QEMU; default the host's own. For doubles of it in tests. */
  readonly qemu?: string;
  readonly onLine: (line: string) => void;
  readonly signal?: AbortSignal;
}

const diskSize = "64G";
const installLimitMs = 4 * 3600 * 1000;

/** What a first logon sets up goes on for a while. */
const rest = { quietMs: 20_000, limitMs: 600_000 } as const;

/**
 * Installs Windows unattended, from its own disc, that of the drivers and one of ours with the answers. It is done when our
 * program in it answers, which is started last, and runs a command as the account `agent`, which has then been logged on;
 * then the guest is shut down and its disk is the image. Rejects with an `AleError` coded `image-build`,
 * `missing-program`, `windows-program` or `guest-silent`.
 */
export async function buildWindowsImage(options: BuildWindowsImageOptions): Promise<VmImageFacts> {
  const { imagesDir, cacheDir, clock, iso, driversIso, onLine, signal } = options;
  const { name = usualVmImages.windows, edition = "Windows 10 Pro", productKey, nodeProgram } = options;
  const program = await buildWindowsProgram({ cacheDir });
  const folder = imageFolder(cacheDir, name);
  await mkdir(join(folder, ".."), { recursive: true });
  const work = await mkdtemp(`${folder}.new-`);
  try {
    const answers = await makeAnswersDisc({
      recipe: join(imagesDir, "vm-windows"),
      serveProgram: program.path,
      ...{ nodeProgram, edition, folder: work },
      ...(productKey === undefined ? {} : { productKey }),
    });
    const disk = join(work, "base.qcow2");
    await runTool("qemu-img", ["create", "-q", "-f", "qcow2", disk, diskSize], "image-build");
    onLine("installing: this takes an hour under KVM, most of a day without");
    const qemu = await QemuProcess.start(
      {
        program: options.qemu ?? hostProgram("qemu-system-x86_64"),
        shape: { accelerator: options.accelerator, cpus: 2, memoryMb: 4096 },
        boot: { kind: "install", discs: [iso, driversIso, answers] },
        folder: work,
        disk,
        clock,
      },
      signal,
    );
    try {
      await finishInstallation(qemu, options);
    } finally {
      await qemu.shutDown(300_000, clock);
    }
    await flushFile(disk);
    const hash = createHash("sha256")
      .update(program.digest)
      .update(await readFile(answers));
    await rm(answers);
    const facts: VmImageFacts = {
      schema: "ale/vm-image@1",
      name,
      os: "windows",
      digest: `sha256:${hash.digest("hex")}`,
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

/** Waits until all is installed and at rest, and has Windows shut itself down. */
async function finishInstallation(qemu: QemuProcess, options: BuildWindowsImageOptions): Promise<void> {
  const { clock, onLine, signal } = options;
  const client = await openBootedWindows(qemu, clock, installLimitMs, signal);
  onLine("installed: waiting until the desktop rests");
  const screen = await QmpScreen.open({ monitor: qemu.monitor, clock, folder: qemu.folder });
  await screen.quiet(rest);
  onLine("shutting down");
  // The answers' copy of the recipe has done its work.
  await runOnce(client, "root", ["cmd", "/c", "rmdir /s /q C:\\ale\\setup"]);
  await runOnce(client, "root", ["shutdown", "/s", "/f", "/t", "0"]).catch(() => undefined);
  client.close();
}
