import { Buffer } from "node:buffer";
import type { Clock } from "../../../contract/clock.ts";
import type { SandboxSpec } from "../../provider.ts";
import { MachineClient } from "../../served/machine-client.ts";
import { serverProgram } from "../../served/server-program.ts";
import { GuestAgentClient } from "../guest-agent/guest-agent-client.ts";
import { makeScratchDisk } from "../mount-disks.ts";
import type { QemuProcess } from "../qemu/qemu-process.ts";
import { LinuxDesktop } from "../screen/linux-desktop.ts";
import type { GuestMachine, GuestSystem, HeldLimits } from "./guest-system.ts";

/** An emulated guest on a busy host takes minutes. */
const bootLimitMs = 600_000;

/** Makes the guest's way out of the user network QEMU gives: no name of a device but this is known to it. */
const networkUp = [
  "until ip link show eth0 > /dev/null 2>&1; do sleep 0.02; done",
  "ip link set eth0 up",
  "ip address add 10.0.2.15/24 dev eth0",
  "ip route add default via 10.0.2.2",
  "echo nameserver 10.0.2.3 > /etc/resolv.conf",
].join(" && ");

/** Linux: our program is started by the guest agent, and what a trial brings comes on disks of ext4. */
export const linuxSystem: GuestSystem = {
  systemMb: 384,
  program: serverProgram,
  networkUp: ["sh", "-c", networkUp],
  desktop: (sandbox) => new LinuxDesktop(sandbox),

  async makeReady(qemu: QemuProcess, clock: Clock): Promise<void> {
    const agent = new GuestAgentClient(qemu.port("agent"), clock);
    await agent.greet(bootLimitMs);
    await agent.start({
      path: "/usr/bin/python3",
      arguments: ["-", "--device", "/dev/virtio-ports/ale.serve"],
      input: Buffer.from(await serverProgram()),
    });
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
  },

  async prepare(machine: GuestMachine, spec: SandboxSpec): Promise<HeldLimits> {
    const { client, clock, scratch } = machine;
    const plugging = [
      makeScratchDisk(scratch, spec.diskMb).then(() => machine.plugDisk("scratch", scratch, false)),
      ...spec.mounts.map(async ({ source }, index) =>
        machine.plugDisk(`mount${index}`, await machine.diskOf(source), true),
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
      now: clock.now() / 1000,
    });
    await Promise.all(plugging);
    const folders = { home: "/home/agent", tmp: "/tmp", "var-tmp": "/var/tmp" };
    await client.request({ op: "mount", serial: "scratch", writable: true, folders });
    for (const [index, { target }] of spec.mounts.entries()) {
      await client.request({ op: "mount", serial: `mount${index}`, target });
    }
    return { work: prepared["group"] === true, processes: true, disk: true };
  },
};
