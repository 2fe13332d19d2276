import type { Clock } from "../../contract/clock.ts";
import type { SandboxProvider } from "../provider.ts";

export interface VmProviderOptions {
  /** Absolute; what is kept of running machines on this host. One per user, shared by all runs. */
  readonly stateDir: string;
  /** Absolute; images, snapshots and disks of mounts, all of which can be made again. */
  readonly cacheDir: string;
  readonly clock: Clock;
  /** Fresh, unique, safe in a file name. */
  readonly ids: () => string;
  /** The process whose death makes its machines ownerless: usually this one. */
  readonly ownerPid: number;
  /** Where graders and generators run that ask for no image. Absent: in machines of their own. */
  readonly trusted?: SandboxProvider;
  /** Absolute path of QEMU; default the host's own `qemu-system-x86_64`. For doubles of it in tests. */
  readonly qemu?: string;
  /** Told what takes long: booting a machine for its first snapshot. */
  readonly onNote?: (note: string) => void;
}

/** The image of a task that names none, by the system it asks for. */
export const usualVmImages: Readonly<Record<"linux" | "windows", string>> = {
  linux: "vm-linux",
  windows: "windows",
};
