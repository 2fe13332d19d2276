import type { Clock } from "../../contract/clock.ts";

/** How far an image is, while it is fetched. */
export interface PullProgress {
  readonly image: string;
  /** Bytes of all layers known so far. */
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ContainerProviderOptions {
  /** Absolute; leases and labels are kept there. One per user, shared by all runs. */
  readonly stateDir: string;
  readonly clock: Clock;
  /** Fresh, unique, safe in a container's name. */
  readonly ids: () => string;
  /** The process whose death makes its sandboxes ownerless: usually this one. */
  readonly ownerPid: number;
  /** The daemon's unix sockets to try, in order; see {@link usualSockets}. */
  readonly sockets: readonly string[];
  /** Where logins to registries are kept, in the order in which they are asked; see `credentialFiles`. Default none. */
  readonly credentialFiles?: readonly string[];
  /** Of machines that name none. Default `base`. */
  readonly defaultImage?: string;
  /** Machines that are kept started ahead at most, one of each kind that is asked for. Default 0. */
  readonly pool?: number;
  /** Told while an image is fetched. */
  readonly onPull?: (progress: PullProgress) => void;
}
