import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../contract/clock.ts";
import { parseJson } from "../../contract/json-fields.ts";
import { MachineClient } from "../served/machine-client.ts";
import { serverProgram } from "../served/server-program.ts";
import { flushFile } from "./flush-file.ts";
import { GuestAgentClient } from "./guest-agent/guest-agent-client.ts";
import { sizesOf, type VmImage } from "./image/vm-image.ts";
import { hostProgram, runTool } from "./qemu/host-programs.ts";
import type { MachineShape } from "./qemu/machine-shape.ts";
import { QemuProcess } from "./qemu/qemu-process.ts";

/** A machine that has booted, stopped: a disk nobody writes to any more, and the state that fits it. */
export interface Snapshot {
  readonly disk: string;
  readonly state: string;
}

export interface SnapshotStoreOptions {
  readonly cacheDir: string;
  readonly clock: Clock;
  readonly onNote: (note: string) => void;
}

/** An emulated guest on a busy host takes minutes. */
const bootLimitMs = 600_000;

/** Lists the sizes of a snapshot's files, and is written when they are on the disk. */
const readyFile = "ready.json";
const snapshotFiles = ["disk.qcow2", "state"] as const;

/** Snapshots by what they are of: image, shape, our program, QEMU. Each is made once, by whoever needs it first. */
export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;
  readonly #making: Map<string, Promise<Snapshot>> = new Map();

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
  }

  async get(image: VmImage, shape: MachineShape, signal?: AbortSignal): Promise<Snapshot> {
    const program = await serverProgram();
    const qemu = await runTool("qemu-system-x86_64", ["--version"], "vm-qemu");
    // The state fits this very file alone: an image that is built anew lays out its files otherwise.
    const disk = await realpath(image.disk);
    const { size, mtimeMs } = await stat(disk);
    const parts = [image.digest, disk, size, mtimeMs, JSON.stringify(shape), program, qemu];
    const key = createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 24);
    const folder = join(this.#options.cacheDir, "vm", "snapshots", key);
    const snapshot: Snapshot = { disk: join(folder, "disk.qcow2"), state: join(folder, "state") };
    if (await isWhole(folder)) return snapshot;
    // Everybody who waits for it would be let down by one who gives up: it is made whoever asked.
    const making =
      this.#making.get(key) ??
      this.#make({ ...image, disk }, shape, program, folder, snapshot).finally(() =>
        this.#making.delete(key),
      );
    this.#making.set(key, making);
    making.catch(() => undefined);
    return signal === undefined ? making : Promise.race([making, aborted(signal)]);
  }

  async #make(
    image: VmImage,
    shape: MachineShape,
    program: string,
    folder: string,
    snapshot: Snapshot,
  ): Promise<Snapshot> {
    const { clock, onNote } = this.#options;
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
      const qemu = await QemuProcess.start({
        program: hostProgram("qemu-system-x86_64"),
        shape,
        boot: image.start,
        folder: draft,
        disk,
        clock,
      });
      try {
        await makeReady(qemu, program, clock);
        await qemu.save(join(draft, "state"));
      } finally {
        await qemu.kill();
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

/** Waits for the guest, starts our program in it, and lets it do each thing once, so that all is at hand afterwards. */
async function makeReady(qemu: QemuProcess, program: string, clock: Clock): Promise<void> {
  const agent = new GuestAgentClient(qemu.port("agent"), clock);
  await agent.greet(bootLimitMs);
  await agent.start(
    {
      path: "/usr/bin/python3",
      arguments: ["-", "--device", "/dev/virtio-ports/ale.serve"],
      input: Buffer.from(program),
    },
    false,
  );
  const client = await MachineClient.open(qemu.port("server"));
  const limits = { cpus: 1, memoryMb: 256, maxProcesses: 256 };
  await client.request({ op: "prepare", clean: false, ownNetwork: true, ...limits });
  for (const user of ["agent", "root"]) {
    const env = { PATH: "/usr/bin:/bin" };
    const request = { op: "run", argv: ["sh", "-c", "true"], user, cwd: "/", env, network: "sandbox" };
    const channel = client.channel({ ...request, stdin: false });
    channel.stdout.resume();
    channel.stderr.resume();
    await channel.answer;
  }
  client.close();
  agent.close();
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
