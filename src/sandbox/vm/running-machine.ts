import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { textAt } from "../../contract/json-fields.ts";
import { describeEnd } from "../command.ts";
import type { SandboxSpec } from "../provider.ts";
import { MachineClient } from "../served/machine-client.ts";
import { ServedCommands } from "../served/served-commands.ts";
import { ServedFiles } from "../served/served-files.ts";
import { watchMachine } from "../served/watch-machine.ts";
import type { GuestSystem, HeldLimits } from "./guest/guest-system.ts";
import type { MountDisks } from "./mount-disks.ts";
import type { QemuProcess } from "./qemu/qemu-process.ts";

export interface RunningMachineParts {
  readonly qemu: QemuProcess;
  /** The machine's folder on this host. */
  readonly folder: string;
  readonly clock: Clock;
  readonly system: GuestSystem;
}

/** A restored machine and what is plugged into it. */
export class RunningMachine {
  readonly #qemu: QemuProcess;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #system: GuestSystem;
  #client: MachineClient | undefined;
  #networkUsers = 0;
  #network: Promise<void> = Promise.resolve();

  constructor(parts: RunningMachineParts) {
    const { qemu, folder, clock, system } = parts;
    this.#qemu = qemu;
    this.#folder = folder;
    this.#clock = clock;
    this.#system = system;
    qemu.onGivenUp = (why) => this.#client?.close(why);
  }

  /** The link to our program in the guest; a machine that has ended, or that does not answer, is gone for good. */
  async client(): Promise<MachineClient> {
    if (this.#client === undefined) {
      this.#client = await MachineClient.open(this.#qemu.port("server"));
      void watchMachine(this.#client, this.#clock, () =>
        this.#qemu.giveUp("the guest has not answered for two minutes"),
      );
    }
    if (!this.#client.lost && !this.#qemu.gone) return this.#client;
    const said = this.#qemu.gone ? await this.#qemu.ended : "its program does not answer any more";
    const words = this.#qemu.why ?? said;
    throw new AleError({
      code: "sandbox-gone",
      message: `The virtual machine has ended${words === "" ? "" : `: ${words}`}.`,
    });
  }

  /** Makes it the machine of this trial. Answers which limits it holds. */
  async prepare(spec: SandboxSpec, disks: MountDisks): Promise<HeldLimits> {
    const held = await this.#system.prepare(
      {
        client: await this.client(),
        commands: this.#commands(),
        files: new ServedFiles(() => this.client()),
        clock: this.#clock,
        plugDisk: (serial, path, readOnly) => this.#plugDisk(serial, path, readOnly),
        diskOf: (source) => disks.diskOf(source, this.#folder),
        scratch: join(this.#folder, "scratch.img"),
      },
      spec,
    );
    if (spec.network === "open") await this.#plugNetwork();
    return held;
  }

  /** The way out is there while somebody trusted uses it. */
  async openNetwork(): Promise<AsyncDisposable> {
    if (this.#networkUsers++ === 0) this.#network = this.#network.then(() => this.#plugNetwork());
    await this.#network;
    let closed = false;
    return {
      [Symbol.asyncDispose]: async () => {
        if (closed) return;
        closed = true;
        if (--this.#networkUsers === 0) this.#network = this.#network.then(() => this.#unplugNetwork());
        await this.#network;
      },
    };
  }

  async #plugDisk(serial: string, path: string, readOnly: boolean): Promise<void> {
    const { monitor } = this.#qemu;
    await monitor.run("blockdev-add", {
      driver: "raw",
      "node-name": serial,
      "read-only": readOnly,
      file: { driver: "file", filename: path },
    });
    await monitor.run("device_add", {
      driver: "virtio-blk-pci",
      id: `disk-${serial}`,
      drive: serial,
      serial,
    });
  }

  async #plugNetwork(): Promise<void> {
    const { monitor } = this.#qemu;
    await monitor.run("netdev_add", { type: "user", id: "out" });
    await monitor.run("device_add", { driver: "virtio-net-pci", id: "card", netdev: "out" });
    const result = await this.#commands().exec(this.#system.networkUp, {
      user: "root",
      network: "host",
      timeoutMs: 60_000,
      cwd: "/root",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    });
    if (result.end.kind === "exited" && result.end.code === 0) return;
    throw new AleError({
      code: "vm-network",
      message: `The guest's network could not be brought up: ${describeEnd(result.end)}: ${Buffer.from(result.stderr).toString("utf8").trim()}`,
      remedy:
        "Try again. If it stays so, the image lacks the card's driver (virtio-net): build it again with ale sandboxes build.",
    });
  }

  #commands(): ServedCommands {
    return new ServedCommands({ client: () => this.client(), clock: this.#clock, env: {} });
  }

  async #unplugNetwork(): Promise<void> {
    if (this.#qemu.gone) return;
    const { monitor } = this.#qemu;
    const removed = monitor.event(
      (event) => event.name === "DEVICE_DELETED" && textAt(event.data, "device") === "card",
    );
    await monitor.run("device_del", { id: "card" });
    await removed;
    await monitor.run("netdev_del", { id: "out" });
  }
}
