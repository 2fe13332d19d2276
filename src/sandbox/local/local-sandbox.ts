import type { Clock } from "../../contract/clock.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { CommandOptions, CommandResult } from "../command.ts";
import type { DownloadLimits, DownloadReport, FileStat } from "../files.ts";
import type { ChangedPath, QuiesceReport, Sandbox, SandboxProcess } from "../sandbox.ts";
import { sandboxGone, sandboxQuiesced } from "../sandbox-ended.ts";
import type { LabelStore, MachineLabel } from "./label-store.ts";
import type { Machine } from "./machine.ts";
import type { MachineCommands } from "./machine-commands.ts";
import { Tree } from "./tree.ts";
import { changesSince, type Layer, snapshotLayers, type TreeSnapshot } from "./tree-changes.ts";
import { TreeFiles, type TreeOwners } from "./tree-files.ts";
import { downloadFrom } from "./tree-source.ts";

export interface LocalSandboxParts {
  readonly machine: Machine;
  readonly commands: MachineCommands;
  readonly labels: LabelStore;
  readonly label: MachineLabel;
  readonly clock: Clock;
  /** The machine's files, seen from the host. */
  readonly treeRoot: string;
  readonly layers: readonly Layer[];
  readonly owners: TreeOwners | undefined;
  readonly fingerprint: JsonValue;
  /** Gives the trusted side the room on the disk that was kept from the agent. */
  readonly freeSpare: () => Promise<void>;
  /** Removes all that is left of it on the host. */
  readonly dispose: () => Promise<void>;
}

const mebibyte = 1024 * 1024;

/** A machine on this host: namespaces over a copy-on-write view of the system. */
export class LocalSandbox implements Sandbox {
  readonly provider = "local";
  readonly #parts: LocalSandboxParts;
  readonly #tree: Tree;
  readonly #files: TreeFiles;
  #label: MachineLabel;
  #baseline: TreeSnapshot = new Map();
  #quiesced: Promise<QuiesceReport> | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: LocalSandboxParts) {
    this.#parts = parts;
    this.#label = parts.label;
    this.#tree = new Tree(() => {
      this.#checkAlive();
      return parts.treeRoot;
    });
    this.#files = new TreeFiles(this.#tree, parts.owners);
  }

  get id(): string {
    return this.#label.id;
  }

  async exec(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    this.#checkCommand(options);
    return this.#parts.commands.exec(argv, options);
  }

  async spawn(argv: readonly string[], options: CommandOptions = {}): Promise<SandboxProcess> {
    this.#checkCommand(options);
    return this.#parts.commands.spawn(argv, options);
  }

  async readFile(path: string, options: { readonly maxBytes?: number } = {}): Promise<Uint8Array> {
    return this.#files.read(path, options.maxBytes ?? 64 * mebibyte);
  }

  async writeFile(
    path: string,
    content: Uint8Array | string,
    options: { readonly mode?: number; readonly owner?: "agent" | "root" } = {},
  ): Promise<void> {
    await this.#files.write(path, content, options.mode ?? 0o644, options.owner ?? "agent");
  }

  async upload(
    hostPath: string,
    path: string,
    options: { readonly owner?: "agent" | "root"; readonly readOnly?: boolean } = {},
  ): Promise<void> {
    const readOnly = options.readOnly === true;
    await this.#files.upload(hostPath, path, options.owner ?? (readOnly ? "root" : "agent"));
    if (readOnly) await this.#parts.commands.makeReadOnly(path);
  }

  async download(path: string, hostPath: string, limits: DownloadLimits): Promise<DownloadReport> {
    return downloadFrom(this.#tree, path, hostPath, limits);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return this.#files.stat(path);
  }

  async list(path: string): Promise<readonly string[]> {
    return this.#files.list(path);
  }

  async remove(path: string): Promise<void> {
    await this.#files.remove(path);
  }

  async markBaseline(): Promise<void> {
    this.#checkAlive();
    this.#baseline = await snapshotLayers(this.#parts.layers);
  }

  async changes(limit = 500): Promise<readonly ChangedPath[]> {
    this.#checkAlive();
    return changesSince(this.#baseline, this.#parts.layers, this.#tree, limit);
  }

  quiesce(): Promise<QuiesceReport> {
    this.#quiesced ??= this.#endAll();
    return this.#quiesced;
  }

  async #endAll(): Promise<QuiesceReport> {
    const report = await this.#parts.commands.endAll();
    await this.#parts.freeSpare();
    return report;
  }

  async fingerprint(): Promise<JsonValue> {
    return this.#parts.fingerprint;
  }

  async renewLease(seconds: number): Promise<void> {
    this.#checkAlive();
    this.#label = { ...this.#label, leaseUntil: this.#parts.clock.now() + seconds * 1000 };
    await this.#parts.labels.update(this.#label);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#parts.dispose();
    return this.#disposed;
  }

  #checkCommand(options: CommandOptions): void {
    this.#checkAlive();
    if (this.#quiesced === undefined || options.user === "root") return;
    throw sandboxQuiesced(this.id);
  }

  #checkAlive(): void {
    if (this.#disposed === undefined && !this.#parts.machine.gone) return;
    throw sandboxGone(this.id);
  }
}
