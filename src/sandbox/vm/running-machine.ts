import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { textAt } from "../../contract/json-fields.ts";
import type { SandboxSpec } from "../provider.ts";
import { MachineClient } from "../served/machine-client.ts";
import { ServedCommands } from "../served/served-commands.ts";
import { watchMachine } from "../served/watch-machine.ts";
import { type MountDisks, makeScratchDisk } from "./mount-disks.ts";
import type { QemuProcess } from "./qemu/qemu-process.ts";

/** Makes the guest's way out of the user network QEMU gives: no name of a device but this is known to it. */
const networkUp = [
  "until ip link show eth0 > /dev/null 2>&1; do sleep 0.02; done",
  "ip link set eth0 up",
  "ip address add 10.0.2.15/24 dev eth0",
  "ip route add default via 10.0.2.2",
  "echo nameserver 10.0.2.3 > /etc/resolv.conf",
].join(" && ");

/** A restored machine and what is plugged into it. */
export class RunningMachine {
  readonly #qemu: QemuProcess;
  readonly #folder: string;
  readonly #clock: Clock;
  #client: MachineClient | undefined;
  #networkUsers = 0;
  #network: Promise<void> = Promise.resolve();

  constructor(qemu: QemuProcess, folder: string, clock: Clock) {
    this.#qemu = qemu;
    this.#folder = folder;
    this.#clock = clock;
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

  /** Sets the clock, the limits, the disk and the mounts: the snapshot knows nothing of this trial. */
  async prepare(spec: SandboxSpec, disks: MountDisks): Promise<boolean> {
    const client = await this.client();
    const scratch = join(this.#folder, "scratch.img");
    const plugging = [
      makeScratchDisk(scratch, spec.diskMb).then(() => this.#plugDisk("scratch", scratch, false)),
      ...spec.mounts.map(async ({ source }, index) =>
        this.#plugDisk(`mount${index}`, await disks.diskOf(source, this.#folder), true),
      ),
    ];
    const { cpus, memoryMb, maxProcesses, network } = spec;
    const prepared = await client.request({
      op: "prepare",
      clean: false,
      cpus,
      memoryMb,
      maxProcesses,
      ownNetwork: network !== "open",
      now: this.#clock.now() / 1000,
    });
    await Promise.all(plugging);
    const folders = { home: "/home/agent", tmp: "/tmp", "var-tmp": "/var/tmp" };
    await client.request({ op: "mount", serial: "scratch", writable: true, folders });
    for (const [index, { target }] of spec.mounts.entries()) {
      await client.request({ op: "mount", serial: `mount${index}`, target });
    }
    if (network === "open") await this.#plugNetwork();
    return prepared["group"] === true;
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
    const commands = new ServedCommands({ client: () => this.client(), clock: this.#clock, env: {} });
    const result = await commands.exec(["sh", "-c", networkUp], {
      user: "root",
      network: "host",
      timeoutMs: 60_000,
      cwd: "/",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    });
    if (result.end.kind === "exited" && result.end.code === 0) return;
    throw new AleError({
      code: "vm-network",
      message: `The guest's network could not be brought up: ${Buffer.from(result.stderr).toString("utf8").trim()}`,
    });
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
