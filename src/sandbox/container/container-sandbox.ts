import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { CommandOptions, CommandResult } from "../command.ts";
import type { DownloadLimits, DownloadReport, FileStat } from "../files.ts";
import type { ForwardedPort } from "../forward/forwarded-port.ts";
import type { ChangedPath, QuiesceReport, Sandbox, SandboxProcess } from "../sandbox.ts";
import { sandboxGone, sandboxQuiesced } from "../sandbox-ended.ts";
import { ContainerCommands } from "./container-commands.ts";
import type { ContainerLabel, ContainerLabels } from "./container-labels.ts";
import { type Engine, reason, statusOf } from "./engine.ts";
import { forwardFromContainer } from "./forward-from-container.ts";
import type { HostNetwork } from "./host-network.ts";
import { StewardFiles } from "./steward-files.ts";
import type { StewardLink } from "./steward-link.ts";

export interface ContainerSandboxParts {
  readonly engine: Engine;
  readonly containerId: string;
  readonly link: StewardLink;
  readonly labels: ContainerLabels;
  readonly label: ContainerLabel;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  readonly mountPoints: ReadonlySet<string>;
  /** Lent to trusted commands that ask for it. Absent: the machine has one anyway, or the daemon none to lend. */
  readonly network: HostNetwork | undefined;
  readonly fingerprint: JsonValue;
  /** Removes all that is left of it. */
  readonly dispose: () => Promise<void>;
}

const defaultReadBytes = 64 * 1024 * 1024;
/** How the Engine API numbers the kinds of changes. */
const changeKinds = ["C", "A", "D"];

/** A container, worked through its steward. */
export class ContainerSandbox implements Sandbox {
  readonly provider = "container";
  readonly #parts: ContainerSandboxParts;
  readonly #commands: ContainerCommands;
  readonly #files: StewardFiles;
  #label: ContainerLabel;
  /** Paths of the system that we have written or removed: the steward looks at each. */
  readonly #touched: Set<string> = new Set();
  /** Only the machine's administrator can change the rest of the system. */
  #rootHasRun = false;
  #quiesced: Promise<QuiesceReport> | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: ContainerSandboxParts) {
    this.#parts = parts;
    this.#label = parts.label;
    this.#files = new StewardFiles(parts.link, parts.mountPoints);
    this.#commands = new ContainerCommands({
      ...parts,
      endOfGone: () => (this.#disposed === undefined ? undefined : { kind: "signalled", signal: "SIGKILL" }),
    });
  }

  get id(): string {
    return this.#label.id;
  }

  async exec(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    this.#checkCommand(options);
    const { network } = this.#parts;
    if (options.network !== "host" || network === undefined) return this.#commands.exec(argv, options);
    return network.during(() => this.#commands.exec(argv, options));
  }

  async spawn(argv: readonly string[], options: CommandOptions = {}): Promise<SandboxProcess> {
    this.#checkCommand(options);
    const { network } = this.#parts;
    if (options.network !== "host" || network === undefined) return this.#commands.spawn(argv, options);
    await network.join();
    const process = await this.#commands.spawn(argv, options);
    const leave = (): Promise<void> => network.leave().catch(() => undefined);
    process.ended.then(leave, leave);
    return process;
  }

  async readFile(path: string, options: { readonly maxBytes?: number } = {}): Promise<Uint8Array> {
    this.#checkAlive();
    return this.#files.read(path, options.maxBytes ?? defaultReadBytes);
  }

  async writeFile(
    path: string,
    content: Uint8Array | string,
    options: { readonly mode?: number; readonly owner?: "agent" | "root" } = {},
  ): Promise<void> {
    this.#checkAlive();
    this.#touched.add(path);
    await this.#files.write(path, content, options.mode ?? 0o644, options.owner ?? "agent");
  }

  async upload(
    hostPath: string,
    path: string,
    options: { readonly owner?: "agent" | "root"; readonly readOnly?: boolean } = {},
  ): Promise<void> {
    this.#checkAlive();
    const readOnly = options.readOnly === true;
    this.#touched.add(path);
    await this.#files.upload(hostPath, path, readOnly ? "root" : (options.owner ?? "agent"), readOnly);
  }

  async download(path: string, hostPath: string, limits: DownloadLimits): Promise<DownloadReport> {
    this.#checkAlive();
    return this.#files.download(path, hostPath, limits);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    this.#checkAlive();
    return this.#files.stat(path);
  }

  async list(path: string): Promise<readonly string[]> {
    this.#checkAlive();
    return this.#files.list(path);
  }

  async remove(path: string): Promise<void> {
    this.#checkAlive();
    if ((await this.#files.stat(path)) !== undefined) this.#touched.add(path);
    await this.#files.remove(path);
  }

  async markBaseline(): Promise<void> {
    this.#checkAlive();
    const deleted = (await this.#named()).filter((entry) => entry.startsWith("D"));
    this.#touched.clear();
    this.#rootHasRun = false;
    await this.#parts.link.ask("F", ["mark", ...deleted.map((entry) => entry.slice(1))]);
  }

  async changes(limit = 500): Promise<readonly ChangedPath[]> {
    this.#checkAlive();
    const named = [...(await this.#named()), ...[...this.#touched].map((path) => `T${path}`)];
    const answer = await this.#parts.link.ask("F", ["changes", limit, ...named]);
    const words = answer.map(String);
    return Array.from({ length: words.length / 2 }, (_, index) => ({
      path: words[index * 2] ?? "",
      change: words[index * 2 + 1] === "deleted" ? "deleted" : "created-or-changed",
    }));
  }

  quiesce(): Promise<QuiesceReport> {
    this.#quiesced ??= this.#endAll();
    return this.#quiesced;
  }

  async fingerprint(): Promise<JsonValue> {
    return this.#parts.fingerprint;
  }

  async renewLease(seconds: number): Promise<void> {
    this.#checkAlive();
    this.#label = { ...this.#label, leaseUntil: this.#parts.clock.now() + seconds * 1000 };
    await this.#parts.labels.write(this.#label);
  }

  async forward(hostSocket: string): Promise<ForwardedPort> {
    this.#checkAlive();
    if (this.#quiesced !== undefined) throw sandboxQuiesced(this.id);
    return forwardFromContainer(this.#parts.link, hostSocket);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= Promise.resolve().then(() => this.#parts.dispose());
    return this.#disposed;
  }

  async #endAll(): Promise<QuiesceReport> {
    this.#checkAlive();
    return { ended: (await this.#parts.link.ask("Q", [])).map(String) };
  }

  /** What the daemon says is different from the image: a letter and a path each. It compares whole trees. */
  async #named(): Promise<readonly string[]> {
    if (!this.#rootHasRun) return [];
    try {
      const container = this.#parts.engine.docker.getContainer(this.#parts.containerId);
      const changes = (await container.changes()) as readonly DaemonChange[] | null;
      return (changes ?? []).map((change) => `${changeKinds[change.Kind]}${change.Path}`);
    } catch (error) {
      if (statusOf(error) === 404) this.#parts.link.close();
      this.#checkAlive();
      throw new AleError({
        code: "sandbox-gone",
        message: `The daemon does not tell what changed in ${this.id}: ${reason(error)}`,
        cause: error,
      });
    }
  }

  #checkCommand(options: CommandOptions): void {
    this.#checkAlive();
    if (options.user === "root") {
      this.#rootHasRun = true;
      return;
    }
    if (this.#quiesced === undefined) return;
    throw sandboxQuiesced(this.id);
  }

  #checkAlive(): void {
    if (this.#disposed === undefined && !this.#parts.link.gone) return;
    throw sandboxGone(this.id);
  }
}

interface DaemonChange {
  readonly Kind: number;
  readonly Path: string;
}
