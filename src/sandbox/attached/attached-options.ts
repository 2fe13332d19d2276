import type { Clock } from "../../contract/clock.ts";
import type { SandboxProvider } from "../provider.ts";
import type { AttachedMachine } from "./attached-machine.ts";

export interface AttachedProviderOptions {
  /** Read when they are first asked for; an error is that of whoever needs them, such as a file that is broken. */
  readonly machines: () => readonly AttachedMachine[];
  /** The files that machines are looked for in, the first that is there, to be told to who finds none. */
  readonly machinesFiles: readonly string[];
  /** Absolute; what is kept of leases on this host. One per user, shared by all runs. */
  readonly stateDir: string;
  readonly clock: Clock;
  /** Fresh, unique, safe in a file name. */
  readonly ids: () => string;
  /** The process whose death makes its leases ownerless: usually this one. */
  readonly ownerPid: number;
  /**
   * Where graders and generators run: away from the agent's machine, which is all there may be of its kind. Absent:
   * they take a machine of their own out of the same list.
   */
  readonly trusted?: SandboxProvider;
  /** How long a lease is waited for while every fitting machine is another's, default ten minutes. */
  readonly waitMs?: number;
}
