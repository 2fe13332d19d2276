import type { Clock } from "../../../contract/clock.ts";
import type { SandboxSpec } from "../../provider.ts";
import type { QemuProcess } from "../qemu/qemu-process.ts";
import { QmpScreen } from "../screen/qmp-screen.ts";
import { WindowsDesktop } from "../screen/windows-desktop.ts";
import { limitDisk } from "../windows/limit-disk.ts";
import { openBootedWindows } from "../windows/open-booted-windows.ts";
import { powershell } from "../windows/powershell.ts";
import { runOnce } from "../windows/run-once.ts";
import { serveProgram } from "../windows/serve-program.ts";
import type { GuestMachine, GuestSystem, HeldLimits } from "./guest-system.ts";

/** Windows boots in a minute or two under KVM, and then sets its desktop up. */
const bootLimitMs = 1_200_000;

/** What begins with a desktop goes on for a while; the clock in its corner alone never rests. */
const rest = { quietMs: 5000, limitMs: 120_000 } as const;

/** QEMU's user network gives an address by DHCP. */
const networkUp = [
  "$end = (Get-Date).AddSeconds(50)",
  "while (-not (Get-NetRoute -DestinationPrefix 0.0.0.0/0 -ErrorAction SilentlyContinue)) {",
  "if ((Get-Date) -gt $end) { [Console]::Error.Write('no address came by DHCP'); exit 1 }",
  "Start-Sleep -Milliseconds 200 }",
].join("\n");

/**
 * Windows: our program is a task of the image's that starts with the system. What a trial brings is copied through it:
 * Windows reads no file system that is made here without its own tools, and inputs come that way anyhow.
 */
export const windowsSystem: GuestSystem = {
  systemMb: 2048,
  program: async () => "",
  networkUp: powershell(networkUp),
  desktop: (sandbox) => new WindowsDesktop(sandbox),

  async makeReady(qemu: QemuProcess, clock: Clock): Promise<void> {
    const client = await openBootedWindows(qemu, clock, bootLimitMs);
    try {
      await runOnce(client, "agent", [serveProgram, "--desktop", "size", "1280", "800"]);
      const screen = await QmpScreen.open({ monitor: qemu.monitor, clock, folder: qemu.folder });
      await screen.quiet(rest);
      const limits = { cpus: 1, memoryMb: 1024, maxProcesses: 512 };
      await client.request({ op: "prepare", clean: false, ownNetwork: true, ...limits });
      for (const user of ["agent", "root"] as const) await runOnce(client, user, ["cmd", "/c", "exit 0"]);
    } finally {
      client.close();
    }
  },

  async prepare(machine: GuestMachine, spec: SandboxSpec): Promise<HeldLimits> {
    const { client, clock, commands, files } = machine;
    const { cpus, memoryMb, maxProcesses } = spec;
    const now = clock.now() / 1000;
    // The machine has no card but while somebody may use it: no command needs a network of its own.
    const request = { op: "prepare", clean: false, cpus, memoryMb, maxProcesses, ownNetwork: false, now };
    await client.request(request);
    const disk = await limitDisk(commands, spec.diskMb);
    for (const { source, target } of spec.mounts) {
      await files.upload(source, target, "root");
      await files.seal(target);
    }
    // What the agent has its desktop, the task scheduler or WMI start is in no job of ours: only commands are held.
    return { work: false, processes: false, disk };
  },
};
