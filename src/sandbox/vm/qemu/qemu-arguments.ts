import { join } from "node:path";
import type { MachineShape } from "./machine-shape.ts";

/** How the guest starts: a kernel of ours, or from its own disk. */
export type GuestBoot =
  | { readonly kind: "kernel"; readonly kernel: string; readonly initrd: string }
  | { readonly kind: "disk" }
  /** From the first of these discs. */
  | { readonly kind: "install"; readonly discs: readonly string[] };

export interface QemuArgumentsOptions {
  readonly shape: MachineShape;
  readonly boot: GuestBoot;
  /** The machine's folder: sockets, log, disk. */
  readonly folder: string;
  /** Its writable disk, qcow2. */
  readonly disk: string;
  /** A saved state to start from, stopped; absent: it boots. */
  readonly state?: string;
}

/** Files of a machine's folder. */
export const machineFiles = {
  monitor: "qmp.sock",
  agent: "agent.sock",
  server: "server.sock",
  /** RFB of the screen, for whoever looks on. */
  screen: "screen.sock",
  serial: "serial.log",
} as const;

/** QEMU's argument vector. A state fits only the very same devices: they are added here and nowhere else. */
export function qemuArguments(options: QemuArgumentsOptions): readonly string[] {
  const { shape, boot, folder, disk, state } = options;
  const { accelerator, cpus, memoryMb } = shape;
  const socket = (name: string): string => `path=${withCommas(join(folder, name))},server=on,wait=off`;
  return [
    ...["-machine", `pc,accel=${accelerator}`, "-cpu", processorOf(accelerator, boot)],
    ...["-smp", String(cpus), "-m", String(memoryMb), "-nodefaults", "-no-user-config"],
    ...bootArguments(boot, accelerator),
    ...["-drive", `file=${withCommas(disk)},if=virtio,format=qcow2,cache=unsafe,discard=unmap`],
    ...(boot.kind === "kernel" ? [] : ["-global", "VGA.xres=1280", "-global", "VGA.yres=800"]),
    ...["-vga", "std", "-display", "none", "-vnc", `unix:${withCommas(join(folder, machineFiles.screen))}`],
    ...["-device", "piix3-usb-uhci", "-device", "usb-tablet"],
    ...["-device", "virtio-serial-pci"],
    ...["-chardev", `socket,id=agent,${socket(machineFiles.agent)}`],
    ...["-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"],
    ...["-chardev", `socket,id=server,${socket(machineFiles.server)}`],
    ...["-device", "virtserialport,chardev=server,name=ale.serve"],
    ...["-serial", `file:${join(folder, machineFiles.serial)}`],
    ...["-qmp", `unix:${withCommas(join(folder, machineFiles.monitor))},server=on,wait=off`],
    ...["-rtc", "base=utc,clock=host"],
    ...(boot.kind === "install" ? [] : ["-no-reboot"]),
    ...(state === undefined ? [] : ["-S", "-incoming", "defer"]),
  ];
}

/**
 * What emulation is slow at is not offered: a string instruction is a loop by bytes where a system that does not find `erms`
 * copies by words, and each level of page tables is walked.
 */
const emulated = "max,erms=off,la57=off";

/** Windows, which is what boots from a disk, uses what tells it that it is a guest: without, its clocks cost half a processor. */
function processorOf(accelerator: MachineShape["accelerator"], boot: GuestBoot): string {
  if (accelerator === "tcg") return emulated;
  return boot.kind === "kernel" ? "host" : "host,hv_relaxed,hv_vapic,hv_spinlocks=0x1fff,hv_time";
}

function bootArguments(boot: GuestBoot, accelerator: MachineShape["accelerator"]): readonly string[] {
  switch (boot.kind) {
    case "kernel":
      return [
        ...["-kernel", boot.kernel, "-initrd", boot.initrd, "-append"],
        [...kernelWords, ...(accelerator === "tcg" ? emulatedWords : [])].join(" "),
      ];
    case "disk":
      return ["-boot", "c"];
    case "install":
      return [
        ...boot.discs.flatMap((disc) => ["-drive", `file=${withCommas(disc)},media=cdrom,readonly=on`]),
        ...["-boot", "once=d"],
      ];
  }
}

const kernelWords = [
  "root=/dev/vda",
  "rw",
  "init=/usr/lib/ale/init",
  "console=ttyS0",
  "net.ifnames=0",
  "video=1280x800",
  "quiet",
];

/**
 * QEMU keeps what it has translated by the address it ran at. With libraries at other addresses in each process, every start
 * of a program would be translated again: three times the time of the start itself.
 */
const emulatedWords = ["norandmaps"];

/** A comma in a value is written twice. */
export function withCommas(value: string): string {
  return value.replaceAll(",", ",,");
}
