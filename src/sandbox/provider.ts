import type { Finding } from "../contract/finding.ts";
import type { NetworkPolicy } from "../contract/network-policy.ts";
import type { Sandbox } from "./sandbox.ts";

/** Whose sandbox it is. Kept beside it on the host, so that `list` and `reap` work after any death. */
export interface SandboxLabels {
  readonly run: string;
  readonly trial: string;
  readonly attempt: number;
  /** What it is for: the agent's machine, a grader's, a generator's, a conformance test's. */
  readonly role: "agent" | "verifier" | "generator" | "test";
}

/** A host path shown inside, always read-only. */
export interface Mount {
  readonly source: string;
  /** Absolute, inside. */
  readonly target: string;
  /** Part of the way to a socket of the host: left out by providers whose machines {@link Sandbox.forward} instead. */
  readonly wayIn?: true;
  /** Only there to drive a display that is started on the machine: left out where it has a {@link Sandbox.screen}. */
  readonly screenDriver?: true;
  /** No other machine's: providers with machines made ahead put a copy there, read-only too, where it is small. */
  readonly own?: true;
}

/** The machine to make. */
export interface SandboxSpec {
  readonly labels: SandboxLabels;
  readonly leaseSeconds: number;
  readonly image?: string;
  /** Default `linux`. */
  readonly os?: "linux" | "windows";
  /** Graphics processors; default none. */
  readonly gpus?: number;
  readonly cpus: number;
  readonly memoryMb: number;
  /** For everything written: home, `/tmp` and the rest together. */
  readonly diskMb: number;
  readonly maxProcesses: number;
  /**
   * `{allow}` is no network of its own either: what the list allows is reached through a proxy on the host, whose socket
   * is a mount or forwarded.
   */
  readonly network: NetworkPolicy;
  readonly mounts: readonly Mount[];
  /** Fixed environment of every command, beside PATH, HOME, USER, LANG, TZ. */
  readonly env: Readonly<Record<string, string>>;
}

export interface SandboxListing {
  readonly id: string;
  readonly provider: string;
  readonly labels: SandboxLabels;
  readonly createdAt: number;
  readonly leaseUntil: number;
  /** The process that owns it is still alive. */
  readonly ownerAlive: boolean;
}

export interface ReapOptions {
  /** Only those of this run. */
  readonly run?: string;
  /** Also those whose owner lives and whose lease runs. */
  readonly force?: boolean;
}

export interface SandboxProvider {
  readonly name: string;
  /**
   * What is missing on this host for such a machine: programs, kernel features, permissions, limits that
   * cannot be enforced, each with its remedy. Without a spec: in general. An error means `create` would fail.
   */
  preflight(spec?: SandboxSpec): Promise<readonly Finding[]>;
  /** Rejects with an `AleError`: `sandbox-create` (with the cause), or the signal's reason when aborted. Leaves nothing behind when it rejects. */
  create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox>;
  /** Name of the provider that makes such a machine, where this one only chooses among others. */
  chosenFor?(spec: SandboxSpec): Promise<string>;
  /** Every sandbox of this provider on this host, whoever made it. */
  list(): Promise<readonly SandboxListing[]>;
  /** Removes sandboxes whose owner is dead or whose lease has run out; returns those removed. */
  reap(options?: ReapOptions): Promise<readonly SandboxListing[]>;
}
