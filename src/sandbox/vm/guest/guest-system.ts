import type { Clock } from "../../../contract/clock.ts";
import type { SandboxSpec } from "../../provider.ts";
import type { Sandbox } from "../../sandbox.ts";
import type { MachineClient } from "../../served/machine-client.ts";
import type { ServedCommands } from "../../served/served-commands.ts";
import type { ServedFiles } from "../../served/served-files.ts";
import type { QemuProcess } from "../qemu/qemu-process.ts";
import type { GuestDesktop } from "../screen/guest-desktop.ts";

/** A machine that is made ready for a trial, as a guest's system needs it. */
export interface GuestMachine {
  readonly client: MachineClient;
  /** Trusted commands in it, which the network policy does not hold. */
  readonly commands: ServedCommands;
  readonly files: ServedFiles;
  readonly clock: Clock;
  /** Plugs a disk in; the guest finds it by its serial. */
  plugDisk(serial: string, path: string, readOnly: boolean): Promise<void>;
  /** A read-only disk of the host's folder or file, which holds it as `content`. */
  diskOf(source: string): Promise<string>;
  /** Path of the machine's own disk, which need not be there. */
  readonly scratch: string;
}

/** Which of a machine's limits its guest holds the agent to, however the agent starts its programs. */
export interface HeldLimits {
  /** Processors and memory. */
  readonly work: boolean;
  readonly processes: boolean;
  readonly disk: boolean;
}

/** What is different from one guest's operating system to another's. */
export interface GuestSystem {
  /** What the system takes of a machine's memory for itself, in MiB. */
  readonly systemMb: number;
  /** What we start in it: another program is another snapshot. Empty where the image brings it. */
  program(): Promise<string>;
  /** Waits until the guest has booted and serves our frames, and lets it do each thing once. Rejects with `guest-silent`. */
  makeReady(qemu: QemuProcess, clock: Clock): Promise<void>;
  /** Sets the clock, the limits, the disk and the mounts: a snapshot knows nothing of a trial. */
  prepare(machine: GuestMachine, spec: SandboxSpec): Promise<HeldLimits>;
  /** The command that waits for the card just plugged in, and gives the machine its way out. */
  readonly networkUp: readonly string[];
  /** What only programs inside can tell of its desktop. */
  desktop(sandbox: Pick<Sandbox, "exec">): GuestDesktop;
}
