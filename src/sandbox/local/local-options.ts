import type { Clock } from "../../contract/clock.ts";

export interface LocalProviderOptions {
  /** Absolute; everything the provider keeps on the host. One per user, shared by all runs. */
  readonly stateDir: string;
  readonly clock: Clock;
  /** Fresh, unique, safe in a file name. */
  readonly ids: () => string;
  /** The process whose death makes its sandboxes ownerless: usually this one. */
  readonly ownerPid: number;
  /** A folder with a whole system, used in place of the host's. Absolute. */
  readonly root?: string;
}
