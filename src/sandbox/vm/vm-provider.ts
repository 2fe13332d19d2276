import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Finding } from "../../contract/finding.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { identifyProcess, isAlive, signalProcess } from "../process-identity.ts";
import type { ReapOptions, SandboxListing, SandboxProvider, SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Lease, LeaseBook, listingOf } from "../served/lease-book.ts";
import { ServedSandbox } from "../served/served-sandbox.ts";
import { withoutScreenDriver } from "../without-screen-driver.ts";
import { withoutWayIn } from "../without-way-in.ts";
import { type Accelerator, findAccelerator } from "./accelerator.ts";
import type { HeldLimits } from "./guest/guest-system.ts";
import { systemOf } from "./guest/system-of.ts";
import { findVmImage, type VmImage } from "./image/vm-image.ts";
import { MountDisks } from "./mount-disks.ts";
import { hostProgram, runTool } from "./qemu/host-programs.ts";
import { type MachineShape, shapeFor } from "./qemu/machine-shape.ts";
import { machineFiles } from "./qemu/qemu-arguments.ts";
import { QemuProcess } from "./qemu/qemu-process.ts";
import { RunningMachine } from "./running-machine.ts";
import { QmpScreen } from "./screen/qmp-screen.ts";
import { SnapshotStore } from "./snapshot-store.ts";
import { usualVmImages, type VmProviderOptions } from "./vm-options.ts";
import { missingImage, preflightVm, wrongSystem } from "./vm-preflight.ts";

/**
 * Virtual machines by QEMU. An image is booted once for each shape of machine and kept as a snapshot; every machine after
 * that starts from there, on a disk of its own, in about a second.
 */
export function createVmProvider(options: VmProviderOptions): SandboxProvider {
  return new VmProvider(options);
}

class VmProvider implements SandboxProvider {
  readonly name = "vm";
  readonly #options: VmProviderOptions;
  readonly #book: LeaseBook;
  readonly #snapshots: SnapshotStore;
  readonly #disks: MountDisks;
  readonly #accelerators: Map<string, Promise<Accelerator>> = new Map();

  constructor(options: VmProviderOptions) {
    this.#options = options;
    const { stateDir, cacheDir, clock, onNote = () => undefined } = options;
    this.#book = new LeaseBook(join(stateDir, "vm"));
    this.#snapshots = new SnapshotStore({ cacheDir, clock, onNote, qemu: () => this.#qemu() });
    this.#disks = new MountDisks(cacheDir);
  }

  /** Looked for when it is needed: who never asks for a machine need not have it. */
  #qemu(): string {
    return this.#options.qemu ?? hostProgram("qemu-system-x86_64");
  }

  async preflight(wanted?: SandboxSpec): Promise<readonly Finding[]> {
    const { trusted, cacheDir } = this.#options;
    if (wanted !== undefined && trusted !== undefined && goesAway(wanted)) return trusted.preflight(wanted);
    const spec = wanted && withoutScreenDriver(withoutWayIn(wanted));
    return preflightVm(cacheDir, spec, (image) => this.#accelerator(image));
  }

  async create(wanted: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const { trusted, ids, clock, ownerPid } = this.#options;
    signal?.throwIfAborted();
    if (trusted !== undefined && goesAway(wanted)) return trusted.create(wanted, signal);
    const spec = withoutScreenDriver(withoutWayIn(wanted));
    const absent = spec.mounts.find((mount) => !existsSync(mount.source));
    if (absent !== undefined)
      throw cannot(`${absent.source}, to be shown as ${absent.target}, does not exist.`);
    const owner = identifyProcess(ownerPid);
    if (owner === undefined) throw cannot(`The owner given, process ${ownerPid}, is not running.`);
    const name = spec.image ?? usualVmImages[spec.os ?? "linux"];
    const now = clock.now();
    const lease: Lease = {
      id: ids(),
      labels: spec.labels,
      owner,
      createdAt: now,
      leaseUntil: now + spec.leaseSeconds * 1000,
      machine: name,
      processes: [],
    };
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => this.#book.remove(lease.id));
    try {
      // The lease comes first: whatever is made after it can be found and removed.
      await this.#book.write(lease);
      const sandbox = await this.#assemble(spec, lease, cleanup, signal);
      cleanup.move();
      return sandbox;
    } catch (error) {
      signal?.throwIfAborted();
      if (AleError.isInstance(error) && error.code === "sandbox-create") throw error;
      const { message } = error as Error;
      const remedy = AleError.isInstance(error) ? error.remedy : undefined;
      throw cannot(
        `The virtual machine could not be made: ${message}`,
        remedy ?? "ale sandboxes doctor",
        error,
      );
    }
  }

  async list(): Promise<readonly SandboxListing[]> {
    return (await this.#book.all()).map((lease) => listingOf(lease, this.name));
  }

  async reap(options: ReapOptions = {}): Promise<readonly SandboxListing[]> {
    const removed: SandboxListing[] = [];
    for (const lease of await this.#book.over(options, this.#options.clock.now())) {
      for (const one of lease.processes) {
        while (isAlive(one)) {
          signalProcess(one.pid, "SIGKILL");
          await this.#options.clock.sleep(5);
        }
      }
      await this.#book.remove(lease.id);
      removed.push(listingOf(lease, this.name));
    }
    return removed;
  }

  async #assemble(
    spec: SandboxSpec,
    lease: Lease,
    cleanup: AsyncDisposableStack,
    signal: AbortSignal | undefined,
  ): Promise<Sandbox> {
    const { cacheDir, clock } = this.#options;
    const image = await findVmImage(cacheDir, lease.machine);
    if (image === undefined) {
      const { message, remedy } = missingImage(lease.machine);
      throw cannot(message, remedy);
    }
    const wrong = wrongSystem(image, spec);
    if (wrong !== undefined) throw cannot(wrong.message, wrong.remedy);
    const system = systemOf(image.os);
    const accelerator = await this.#accelerator(image);
    const shape = shapeFor(accelerator.kind, spec, system.systemMb);
    const snapshot = await this.#snapshots.get(image, shape, signal);
    const folder = this.#book.folderOf(lease.id);
    const disk = join(folder, "disk.qcow2");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const overlay = ["create", "-q", "-f", "qcow2", "-b", snapshot.disk, "-F", "qcow2", disk];
    await runTool("qemu-img", overlay, "vm-disk");
    const { state } = snapshot;
    const qemu = await QemuProcess.start(
      { program: this.#qemu(), shape, boot: image.start, folder, disk, state, clock },
      signal,
    );
    cleanup.defer(() => qemu.kill());
    let current: Lease = {
      ...lease,
      processes: [identifyProcess(qemu.pid)].filter((one) => one !== undefined),
    };
    await this.#book.write(current);
    const machine = new RunningMachine({ qemu, folder, clock, system });
    // A machine that hangs answers nobody: who waits for it is let go by its end.
    const stop = (): void => void qemu.kill();
    signal?.addEventListener("abort", stop, { once: true });
    let held: HeldLimits;
    try {
      await qemu.restore(state);
      held = await machine.prepare(spec, this.#disks);
      signal?.throwIfAborted();
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    const sandbox: ServedSandbox = new ServedSandbox({
      id: lease.id,
      provider: this.name,
      ...(image.os === "windows" ? { os: image.os } : {}),
      clock,
      env: spec.env,
      client: () => machine.client(),
      ...(spec.network === "open" ? {} : { openNetwork: () => machine.openNetwork() }),
      screen: () =>
        QmpScreen.open({ monitor: qemu.monitor, clock, folder, desktop: system.desktop(sandbox) }),
      fingerprint: fingerprintOf(image, shape, spec, held),
      renewLease: async (seconds) => {
        current = { ...current, leaseUntil: clock.now() + seconds * 1000 };
        await this.#book.write(current);
      },
      dispose: async () => {
        (await machine.client().catch(() => undefined))?.close();
        await qemu.kill();
        await this.#book.remove(lease.id);
      },
    });
    return sandbox;
  }

  #accelerator(image: VmImage): Promise<Accelerator> {
    const known = this.#accelerators.get(image.digest);
    if (known !== undefined) return known;
    const finding = findAccelerator(this.#options.cacheDir, image);
    this.#accelerators.set(image.digest, finding);
    return finding;
  }
}

/** Where a machine's screen is served by RFB, for whoever looks on: a unix socket of its folder. */
export function screenSocket(stateDir: string, id: string): string {
  return join(new LeaseBook(join(stateDir, "vm")).folderOf(id), machineFiles.screen);
}

/** Trusted work that asks for no system of its own. */
function goesAway(spec: SandboxSpec): boolean {
  const { role } = spec.labels;
  return spec.image === undefined && (role === "verifier" || role === "generator");
}

function cannot(message: string, remedy?: string, cause?: unknown): AleError {
  return new AleError({
    code: "sandbox-create",
    message,
    ...(remedy === undefined ? {} : { remedy }),
    ...(cause === undefined ? {} : { cause }),
  });
}

function fingerprintOf(image: VmImage, shape: MachineShape, spec: SandboxSpec, held: HeldLimits): JsonValue {
  return {
    provider: "vm",
    image: image.name,
    digest: image.digest,
    os: image.os,
    accelerator: shape.accelerator,
    machine: { cpus: shape.cpus, memoryMb: shape.memoryMb },
    screen: { width: 1280, height: 800 },
    network: typeof spec.network === "string" ? spec.network : { allow: [...spec.network.allow] },
    limits: {
      cpus: { value: spec.cpus, enforced: held.work },
      memoryMb: { value: spec.memoryMb, enforced: held.work },
      maxProcesses: { value: spec.maxProcesses, enforced: held.processes },
      diskMb: { value: spec.diskMb, enforced: held.disk },
    },
  };
}
