import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { type CommandEnd, type CommandOptions, withMemoryKills } from "../command.ts";
import { startedMark } from "./command-arguments.ts";
import { OutputStream } from "./output-stream.ts";
import type { PipePool } from "./pipe-pool.ts";

export interface CommandStart {
  /** The host's argument vector. */
  readonly argv: readonly string[];
  readonly options: CommandOptions;
  readonly pipes: PipePool;
  readonly clock: Clock;
  /** Ends every process of the command. */
  readonly killAll: (launcherPid: number) => Promise<void>;
  /** Called once when the command and its streams have ended. */
  readonly finished: () => void;
  readonly machineGone: () => boolean;
  /** How often the kernel has killed for want of the machine's memory. */
  readonly memoryKills: () => number;
}

/** A command's standard input: empty, a content, or a pipe to write to while it runs. */
export type CommandInput =
  | { readonly kind: "none" }
  | { readonly kind: "given"; readonly content: Uint8Array | string }
  | { readonly kind: "interactive" };

export interface CommandOutcome {
  readonly end: CommandEnd;
  readonly wallMs: number;
}

/** A command from its start on the host to its end. */
export class RunningCommand {
  readonly stdin: Writable | undefined;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Rejects only with `sandbox-gone`. */
  readonly ended: Promise<CommandOutcome>;
  readonly #start: CommandStart;
  readonly #child: ChildProcess;
  readonly #killsBefore: number;
  #forced: CommandEnd | undefined;
  #killing: Promise<void> | undefined;

  private constructor(
    start: CommandStart,
    child: ChildProcess,
    stdin: Writable | undefined,
    outputs: readonly [OutputStream, OutputStream],
    killsBefore: number,
  ) {
    this.#start = start;
    this.#killsBefore = killsBefore;
    this.#child = child;
    this.stdin = stdin;
    [this.stdout, this.stderr] = outputs;
    this.ended = this.#follow();
    // Whoever awaits it sees the rejection; nobody has to.
    this.ended.catch(() => undefined);
  }

  static async start(start: CommandStart, given: CommandInput): Promise<RunningCommand> {
    const out = await start.pipes.open();
    const error = await start.pipes.open();
    const input = given.kind === "interactive" ? await start.pipes.open() : undefined;
    const stored = given.kind === "given" ? await start.pipes.store(given.content) : undefined;
    const standardInput = input?.readEnd ?? stored;
    const [program = "", ...rest] = start.argv;
    const killsBefore = start.memoryKills();
    const child = spawn(program, rest, {
      cwd: "/",
      // Whatever the launchers would find here, the command would too.
      env: {},
      stdio: [standardInput ?? "ignore", out.writeEnd, error.writeEnd, "pipe"],
    });
    for (const end of [out.writeEnd, error.writeEnd, standardInput]) if (end !== undefined) closeSync(end);
    const stdin =
      input === undefined ? undefined : new Socket({ fd: input.writeEnd, readable: false, writable: true });
    // A program need not read all its input.
    stdin?.on("error", () => stdin.destroy());
    const outputs = [new OutputStream(out.readEnd), new OutputStream(error.readEnd)] as const;
    return new RunningCommand(start, child, stdin, outputs, killsBefore);
  }

  /** The launcher's process number on the host. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get exited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ends all of its processes at once. `forced` is what the end is then said to be. */
  async kill(forced?: CommandEnd): Promise<void> {
    this.#forced ??= forced;
    this.#killing ??= this.#killUntilExited();
    await this.#killing;
  }

  /** More than once: the launcher may not have joined the command's group yet. */
  async #killUntilExited(): Promise<void> {
    do {
      await this.#start.killAll(this.pid);
      if (!this.exited) await this.#start.clock.sleep(1);
    } while (!this.exited);
  }

  async #follow(): Promise<CommandOutcome> {
    const { clock, options } = this.#start;
    const began = clock.monotonic();
    const settled = new AbortController();
    const abort = (): void => {
      if (!this.exited) this.#force({ kind: "aborted" });
    };
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener("abort", abort, { once: true });
    if (options.timeoutMs !== undefined) this.#limit(options.timeoutMs, settled.signal);
    const status = readAll(this.#child.stdio[3] as Readable);
    const failure = await childEnd(this.#child);
    const wallMs = clock.monotonic() - began;
    settled.abort();
    options.signal?.removeEventListener("abort", abort);
    await this.#killing;
    await Promise.all([this.stdout.commandEnded(), this.stderr.commandEnded()]);
    this.stdin?.destroy();
    this.#start.finished();
    return { end: failure ?? this.#endOf(await status), wallMs };
  }

  #limit(timeoutMs: number, settled: AbortSignal): void {
    this.#start.clock.sleep(timeoutMs, settled).then(
      () => this.#force({ kind: "timed-out", afterMs: timeoutMs }),
      () => undefined,
    );
  }

  /** A failure to kill is reported by `ended`, which waits for it. */
  #force(end: CommandEnd): void {
    this.kill(end).catch(() => undefined);
  }

  #endOf(status: string): CommandEnd {
    if (this.#forced !== undefined) return this.#forced;
    if (!status.endsWith(startedMark)) {
      if (this.#start.machineGone()) {
        throw new AleError({
          code: "sandbox-gone",
          message: "The sandbox has ended; the command was not run.",
        });
      }
      const message =
        status === "" ? "the machine could not start a process (too many, or out of memory)" : status;
      return { kind: "not-started", message };
    }
    const { exitCode, signalCode } = this.#child;
    const end: CommandEnd =
      signalCode === null
        ? { kind: "exited", code: exitCode ?? 0 }
        : { kind: "signalled", signal: signalCode };
    // Ended by us: then what the kernel did was not what ended it.
    if (this.#killing !== undefined) return end;
    return withMemoryKills(end, this.#start.memoryKills() - this.#killsBefore);
  }
}

function childEnd(child: ChildProcess): Promise<CommandEnd | undefined> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve(undefined));
    child.once("error", (error) => resolve({ kind: "not-started", message: error.message }));
  });
}

/** Bounded: only the launcher writes there, a line at most. */
function readAll(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      if (text.length < 4096) text += chunk.toString();
    });
    stream.once("close", () => resolve(text));
    stream.once("error", () => resolve(text));
  });
}
