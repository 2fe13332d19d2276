import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { parseJson } from "../../contract/json-fields.ts";
import { runHostProgram } from "../local/run-host-program.ts";
import { flushFile } from "./flush-file.ts";
import { systemOf } from "./guest/system-of.ts";
import { sizesOf, type VmImage } from "./image/vm-image.ts";
import { runTool } from "./qemu/host-programs.ts";
import type { MachineShape } from "./qemu/machine-shape.ts";
import { qemuArguments } from "./qemu/qemu-arguments.ts";
import { QemuProcess } from "./qemu/qemu-process.ts";

/** A machine that has booted, stopped: a disk nobody writes to any more, and the state that fits it. */
export interface Snapshot {
  readonly disk: string;
  readonly state: string;
}

export interface SnapshotStoreOptions {
  readonly cacheDir: string;
  /** Absolute path of QEMU. */
  readonly qemu: () => string;
  readonly clock: Clock;
  readonly onNote: (note: string) => void;
}

/** Lists the sizes of a snapshot's files, and is written when they are on the disk. */
const readyFile = "ready.json";
const snapshotFiles = ["disk.qcow2", "state"] as const;

/** Snapshots by what they are of: image, machine, our program, QEMU. Each is made once, by whoever needs it first. */
export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;
  readonly #making: Map<string, Promise<Snapshot>> = new Map();

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
  }

  async get(image: VmImage, shape: MachineShape, signal?: AbortSignal): Promise<Snapshot> {
    const program = await systemOf(image.os).program();
    const version = await qemuVersion(this.#options.qemu());
    // The state fits this very file alone: an image that is built anew lays out its files otherwise.
    const disk = await realpath(image.disk);
    const { size, mtimeMs } = await stat(disk);
    const machine = qemuArguments({ shape, boot: image.start, folder: "", disk: "" });
    const parts = [image.digest, disk, size, mtimeMs, JSON.stringify(machine), program, version];
    const key = createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 24);
    const folder = join(this.#options.cacheDir, "vm", "snapshots", key);
    const snapshot: Snapshot = { disk: join(folder, "disk.qcow2"), state: join(folder, "state") };
    if (await isWhole(folder)) return snapshot;
    // Everybody who waits for it would be let down by one who gives up: it is made whoever asked.
    const making =
      this.#making.get(key) ??
      this.#make({ ...image, disk }, shape, folder, snapshot).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    making.catch(() => undefined);
    return signal === undefined ? making : Promise.race([making, aborted(signal)]);
  }

  async #make(image: VmImage, shape: MachineShape, folder: string, snapshot: Snapshot): Promise<Snapshot> {
    const { clock, onNote, qemu } = this.#options;
    onNote(`booting ${image.name} once, with ${shape.memoryMb} MiB under ${shape.accelerator}`);
    await mkdir(join(folder, ".."), { recursive: true, mode: 0o700 });
    const draft = await mkdtemp(`${folder}.new-`);
    try {
      const disk = join(draft, "disk.qcow2");
      await runTool(
        "qemu-img",
        ["create", "-q", "-f", "qcow2", "-b", image.disk, "-F", "qcow2", disk],
        "vm-disk",
      );
      const running = await QemuProcess.start({
        program: qemu(),
        shape,
        boot: image.start,
        folder: draft,
        disk,
        clock,
      });
      try {
        await systemOf(image.os).makeReady(running, clock);
        await running.save(join(draft, "state"));
      } finally {
        await running.kill();
      }
      for (const name of snapshotFiles) await flushFile(join(draft, name));
      await writeFile(join(draft, readyFile), JSON.stringify(await sizesOf(draft, snapshotFiles)));
      await flushFile(join(draft, readyFile));
      // Another process may have been faster: then its snapshot is as good.
      if (await isWhole(folder)) return snapshot;
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
      return snapshot;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
}

/** Whether all of it is there: a host that lost its power may have kept a part. */
async function isWhole(folder: string): Promise<boolean> {
  const noted = parseJson(await readFile(join(folder, readyFile), "utf8").catch(() => ""));
  if (noted === undefined) return false;
  const found = await sizesOf(folder, snapshotFiles).catch(() => undefined);
  return JSON.stringify(found) === JSON.stringify(noted);
}

/** A state can only be read by the QEMU that wrote it. */
async function qemuVersion(program: string): Promise<string> {
  const { code, stdout, stderr } = await runHostProgram([program, "--version"]);
  if (code === 0) return stdout;
  throw new AleError({
    code: "vm-qemu",
    message: `${program} does not tell its version: ${(stderr || stdout).trim().slice(-400)}`,
    remedy: "apt-get install --reinstall qemu-system-x86",
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
