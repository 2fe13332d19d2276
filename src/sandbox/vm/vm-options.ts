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
  /** Told what takes long: booting a machine for its first snapshot. */
  readonly onNote?: (note: string) => void;
}

/** The image of a task that names none. */
export const usualVmImage = "vm-linux";
