import { readFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { CommandEnd, CommandOptions, CommandResult } from "../../sandbox/command.ts";
import type { SandboxSpec } from "../../sandbox/provider.ts";
import type { ChangedPath, Sandbox, SandboxProcess } from "../../sandbox/sandbox.ts";
import type { Screen } from "../../sandbox/screen.ts";
import type { MemoryFaults } from "./memory-faults.ts";
import { MemoryFiles } from "./memory-files.ts";
import type { MemoryProgram, MemoryReply } from "./memory-program.ts";

/** A call a memory sandbox has had, for tests to look at. */
export interface RecordedCall {
  readonly sandbox: string;
  readonly role: string;
  readonly method: string;
  readonly detail: string;
}

export interface MemorySandboxOptions {
  readonly id: string;
  readonly spec: SandboxSpec;
  readonly programs: ReadonlyMap<string, MemoryProgram>;
  readonly faults: MemoryFaults;
  readonly clock: Clock;
  readonly screen?: Screen;
  readonly record: (call: RecordedCall) => void;
  readonly onDispose: () => void;
}

const defaultReadBytes = 64 * 1024 * 1024;

/** A machine without processes: a file tree, and programs that are functions. */
export class MemorySandbox implements Sandbox {
  readonly id: string;
  readonly provider = "memory";
  readonly files: MemoryFiles;
  readonly os?: "windows";
  readonly screen?: () => Promise<Screen>;
  readonly #options: MemorySandboxOptions;
  readonly #quiesced = new AbortController();
  readonly #running = new Map<string, number>();
  #baseline: ReturnType<MemoryFiles["snapshot"]> = new Map();
  #disposed = false;

  constructor(options: MemorySandboxOptions) {
    this.id = options.id;
    this.#options = options;
    const { screen, spec } = options;
    if (spec.os === "windows") this.os = spec.os;
    if (screen !== undefined) this.screen = () => Promise.resolve(screen);
    this.files = new MemoryFiles(() => options.clock.now());
    for (const folder of [sandboxLayout.home, sandboxLayout.output, "/tmp"]) this.files.folder(folder);
  }

  async #enter(
    method: Parameters<MemoryFaults["meet"]>[0],
    detail: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const { spec, record, faults } = this.#options;
    record({ sandbox: this.id, role: spec.labels.role, method, detail });
    if (this.#disposed && method !== "dispose") {
      throw new AleError({ code: "sandbox-gone", message: `sandbox ${this.id} is disposed of` });
    }
    await faults.meet(method, spec.labels.role, signal);
  }

  #hostPath(path: string): string | undefined {
    const mounts = [...this.#options.spec.mounts].sort((a, b) => b.target.length - a.target.length);
    const mount = mounts.find(({ target }) => path === target || path.startsWith(`${target}/`));
    return mount === undefined ? undefined : mount.source + path.slice(mount.target.length);
  }

  async #run(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
    const { programs, clock, spec } = this.#options;
    const name = argv[0] ?? "";
    const program = programs.get(name);
    const startedAt = clock.monotonic();
    const done = (end: CommandEnd, reply: MemoryReply = {}): CommandResult => {
      const stdout = Buffer.from(reply.stdout ?? "");
      const stderr = Buffer.from(reply.stderr ?? "");
      const wallMs = clock.monotonic() - startedAt;
      return { end, stdout, stderr, stdoutBytes: stdout.length, stderrBytes: stderr.length, wallMs };
    };
    if (program === undefined) return done({ kind: "not-started", message: `${name}: no such program` });
    const frozen = this.#quiesced.signal.aborted && options.user !== "root";
    if (frozen) return done({ kind: "not-started", message: "the machine is quiesced" });

    const timeout = new AbortController();
    const awake = new AbortController();
    if (options.timeoutMs !== undefined) {
      clock.sleep(options.timeoutMs, awake.signal).then(
        () => timeout.abort(),
        () => undefined,
      );
    }
    const killers = [timeout.signal, ...(options.signal === undefined ? [] : [options.signal])];
    if (options.user !== "root") killers.push(this.#quiesced.signal);
    const signal = AbortSignal.any(killers);
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    try {
      const call = {
        argv,
        options,
        spec,
        files: this.files,
        signal,
        hostPath: (path: string) => this.#hostPath(path),
      };
      const reply = (await program(call)) ?? {};
      if (timeout.signal.aborted) return done({ kind: "timed-out", afterMs: options.timeoutMs ?? 0 }, reply);
      if (options.signal?.aborted) return done({ kind: "aborted" }, reply);
      if (signal.aborted) return done({ kind: "signalled", signal: "SIGKILL" }, reply);
      return done(reply.end ?? { kind: "exited", code: reply.exit ?? 0 }, reply);
    } finally {
      awake.abort();
      this.#running.set(name, (this.#running.get(name) ?? 1) - 1);
    }
  }

  async exec(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    await this.#enter("exec", argv.join(" "), options.signal);
    return this.#run(argv, options);
  }

  async spawn(argv: readonly string[], options: CommandOptions = {}): Promise<SandboxProcess> {
    await this.#enter("spawn", argv.join(" "), options.signal);
    const stopper = new AbortController();
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const signals = [stopper.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const chunks: Buffer[] = [];
    stdin.on("data", (chunk: Buffer) => chunks.push(chunk));
    const ended = (async () => {
      const killed = new Promise<void>((resolve) => {
        AbortSignal.any(signals).addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.race([finished(stdin, { readable: false }), killed]);
      const given = { ...options, stdin: Buffer.concat(chunks), signal: AbortSignal.any(signals) };
      const result = await this.#run(argv, given);
      stdout.end(result.stdout);
      stderr.end(result.stderr);
      const end: CommandEnd = stopper.signal.aborted ? { kind: "signalled", signal: "SIGTERM" } : result.end;
      return { ...result, end };
    })();
    return {
      stdin,
      stdout,
      stderr,
      ended,
      async stop() {
        stopper.abort();
        await ended;
      },
    };
  }

  async readFile(path: string, options: { readonly maxBytes?: number } = {}): Promise<Uint8Array> {
    await this.#enter("readFile", path);
    const host = this.#hostPath(path);
    if (host !== undefined) return readFile(host);
    return this.files.read(path, options.maxBytes ?? defaultReadBytes);
  }

  async writeFile(
    path: string,
    content: Uint8Array | string,
    options: { readonly mode?: number; readonly owner?: "agent" | "root" } = {},
  ): Promise<void> {
    await this.#enter("writeFile", path);
    this.files.write(path, content, options.mode, options.owner);
  }

  async upload(
    hostPath: string,
    path: string,
    options: { readonly owner?: "agent" | "root"; readonly readOnly?: boolean } = {},
  ): Promise<void> {
    await this.#enter("upload", path);
    await this.files.upload(hostPath, path, options.owner ?? "agent", options.readOnly ?? false);
  }

  async download(...args: Parameters<Sandbox["download"]>): ReturnType<Sandbox["download"]> {
    await this.#enter("download", args[0]);
    return this.files.download(...args);
  }

  async stat(path: string): ReturnType<Sandbox["stat"]> {
    await this.#enter("stat", path);
    return this.files.stat(path);
  }

  async list(path: string): Promise<readonly string[]> {
    await this.#enter("list", path);
    return this.files.list(path);
  }

  async remove(path: string): Promise<void> {
    await this.#enter("remove", path);
    this.files.remove(path);
  }

  async markBaseline(): Promise<void> {
    await this.#enter("markBaseline", "");
    this.#baseline = this.files.snapshot();
  }

  async changes(limit = 500): Promise<readonly ChangedPath[]> {
    await this.#enter("changes", "");
    const now = this.files.snapshot();
    const changed: ChangedPath[] = [];
    for (const path of [...new Set([...now.keys(), ...this.#baseline.keys()])].sort()) {
      if (!now.has(path)) changed.push({ path, change: "deleted" });
      else if (now.get(path) !== this.#baseline.get(path))
        changed.push({ path, change: "created-or-changed" });
    }
    return changed.slice(0, limit);
  }

  async quiesce(): ReturnType<Sandbox["quiesce"]> {
    await this.#enter("quiesce", "");
    const ended = [...this.#running].flatMap(([name, count]) => Array<string>(count).fill(name));
    this.#quiesced.abort();
    return { ended };
  }

  async fingerprint(): ReturnType<Sandbox["fingerprint"]> {
    await this.#enter("fingerprint", "");
    return { provider: this.provider, image: this.#options.spec.image ?? "none" };
  }

  async renewLease(seconds: number): Promise<void> {
    await this.#enter("renewLease", String(seconds));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return;
    await this.#enter("dispose", "");
    this.#disposed = true;
    this.#quiesced.abort();
    this.#options.onDispose();
  }
}
