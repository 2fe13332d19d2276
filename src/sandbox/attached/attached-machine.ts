import type { Duplex } from "node:stream";
import type { Screen } from "../screen.ts";

/** A command that brings a machine back to a known state before each lease. */
export interface ResetCommand {
  readonly on: "machine" | "here";
  readonly argv: readonly string[];
  readonly limitMs: number;
}

interface AttachedCommon {
  readonly name: string;
  /** The image whose tasks it serves; absent = tasks that ask for none. */
  readonly image?: string;
  readonly reset?: ResetCommand;
}

export interface AttachedSsh extends AttachedCommon {
  readonly kind: "ssh";
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** The private key itself. */
  readonly privateKey: string;
  /** `SHA256:…`; absent: nothing is connected to, and the error tells the key that was seen. */
  readonly hostKey?: string;
}

export interface AttachedCua extends AttachedCommon {
  readonly kind: "cua";
  /** Of the computer-server, without a path. */
  readonly address: string;
  readonly containerName?: string;
  readonly key?: string;
}

/** A machine that already runs, with all that is needed to reach it. */
export type AttachedMachine = AttachedSsh | AttachedCua;

/** How a machine is reached: our program is started on it as root, and its stream handed out. */
export interface MachineTransport extends AsyncDisposable {
  /** A new link. Rejects with `machine-unreachable`, `machine-host-key` or `machine-root`, each with a remedy. */
  link(signal?: AbortSignal): Promise<Duplex>;
  /** Its own screen, where it shows one. */
  readonly screen?: () => Promise<Screen>;
}
