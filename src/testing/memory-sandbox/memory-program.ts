import type { CommandEnd, CommandOptions } from "../../sandbox/command.ts";
import type { SandboxSpec } from "../../sandbox/provider.ts";
import type { MemoryFiles } from "./memory-files.ts";

/** One command as a registered program sees it. */
export interface MemoryCall {
  readonly argv: readonly string[];
  readonly options: CommandOptions;
  readonly spec: SandboxSpec;
  readonly files: MemoryFiles;
  /** Aborted when the command's own signal is, when its time is over, or at quiesce. */
  readonly signal: AbortSignal;
  /** Host path behind a mount's inner path; `undefined` outside every mount. */
  hostPath(path: string): string | undefined;
}

/** What a registered program comes to; everything left out is empty, and the end is exit 0. */
export interface MemoryReply {
  readonly exit?: number;
  readonly end?: CommandEnd;
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string | Uint8Array;
}

/** A program of a memory sandbox, found by the first word of the argument vector. */
export type MemoryProgram = (call: MemoryCall) => MemoryReply | undefined | Promise<MemoryReply | undefined>;

/** A program that runs until it is killed. */
export const hangProgram: MemoryProgram = (call) =>
  new Promise((resolve) => {
    if (call.signal.aborted) return resolve(undefined);
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
