import type { Clock } from "../../contract/clock.ts";
import { listAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { CommandOptions, CommandResult } from "../command.ts";
import type { DownloadLimits, DownloadReport, FileStat } from "../files.ts";
import type { ForwardedPort } from "../forward/forwarded-port.ts";
import type { ChangedPath, QuiesceReport, Sandbox, SandboxProcess } from "../sandbox.ts";
import { sandboxGone, sandboxQuiesced } from "../sandbox-ended.ts";
import type { Screen } from "../screen.ts";
import { forwardPort } from "./forward-port.ts";
import type { MachineClient } from "./machine-client.ts";
import { ServedCommands } from "./served-commands.ts";
import { ServedFiles } from "./served-files.ts";

export interface ServedSandboxParts {
  readonly id: string;
  readonly provider: string;
  /** Absent: Linux. */
  readonly os?: "windows";
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  /** The link to the machine, mended when it is lost. Rejects with `sandbox-gone` when there is no machine any more. */
  readonly client: () => Promise<MachineClient>;
  readonly openNetwork?: () => Promise<AsyncDisposable>;
  readonly screen?: () => Promise<Screen>;
  readonly fingerprint: JsonValue;
  readonly renewLease: (seconds: number) => Promise<void>;
  /** Gives the machine back, or ends it. */
  readonly dispose: () => Promise<void>;
}

const mebibyte = 1024 * 1024;

/** A machine that our program serves from within, whatever carries the bytes: SSH, a terminal over HTTP, a serial port. */
export class ServedSandbox implements Sandbox {
  readonly id: string;
  readonly provider: string;
  readonly os?: "windows";
  readonly screen?: () => Promise<Screen>;
  readonly #parts: ServedSandboxParts;
  readonly #commands: ServedCommands;
  readonly #files: ServedFiles;
  #quiesced: Promise<QuiesceReport> | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: ServedSandboxParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.provider = parts.provider;
    const { screen, os } = parts;
    if (os !== undefined) this.os = os;
    if (screen !== undefined) this.screen = screen;
    const client = (): Promise<MachineClient> => this.#client();
    const { clock, env, openNetwork } = parts;
    this.#commands = new ServedCommands({
      client,
      clock,
      env,
      disposed: () => this.#disposed !== undefined,
      ...(openNetwork === undefined ? {} : { openNetwork }),
    });
    this.#files = new ServedFiles(client);
  }

  async exec(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    this.#checkCommand(options);
    return this.#commands.exec(argv, options);
  }

  async spawn(argv: readonly string[], options: CommandOptions = {}): Promise<SandboxProcess> {
    this.#checkCommand(options);
    return this.#commands.spawn(argv, options);
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
    if (readOnly) await this.#files.seal(path);
  }

  async download(path: string, hostPath: string, limits: DownloadLimits): Promise<DownloadReport> {
    return this.#files.download(path, hostPath, limits);
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
    await this.#files.mark();
  }

  async changes(limit = 500): Promise<readonly ChangedPath[]> {
    return this.#files.changes(limit);
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
    await this.#parts.renewLease(seconds);
  }

  async forward(hostSocket: string): Promise<ForwardedPort> {
    if (this.#quiesced !== undefined) throw sandboxQuiesced(this.id);
    return forwardPort(await this.#client(), hostSocket);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#parts.dispose();
    return this.#disposed;
  }

  async #endAll(): Promise<QuiesceReport> {
    const told = await (await this.#client()).request({ op: "quiesce" });
    return { ended: listAt(told, "ended").map(String) };
  }

  async #client(): Promise<MachineClient> {
    this.#checkAlive();
    return this.#parts.client();
  }

  #checkCommand(options: CommandOptions): void {
    this.#checkAlive();
    if (this.#quiesced === undefined || options.user === "root") return;
    throw sandboxQuiesced(this.id);
  }

  #checkAlive(): void {
    if (this.#disposed === undefined) return;
    throw sandboxGone(this.id);
  }
}
