import type { Clock } from "../../contract/clock.ts";
import { checkCommand } from "../check-command.ts";
import { type CommandEnd, type CommandOptions, type CommandResult, withMemoryKills } from "../command.ts";
import { commandEnvironment, homeOf } from "../command-environment.ts";
import { commandResult, drainInto } from "../command-result.ts";
import { OutputBuffer } from "../output-buffer.ts";
import type { SandboxProcess } from "../sandbox.ts";
import type { MachineChannel, Told } from "./machine-channel.ts";
import { accepted, type MachineClient } from "./machine-client.ts";

export interface ServedCommandsParts {
  readonly client: () => Promise<MachineClient>;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  /** True once the machine is given up on purpose: what still ran in it was killed, not lost. */
  readonly disposed?: () => boolean;
  /** Opens the machine's way out for trusted commands, where it is closed otherwise, until disposed of. */
  readonly openNetwork?: () => Promise<AsyncDisposable>;
}

const defaultOutputBytes = 1024 * 1024;
/** A machine that has not ended a command this long after it was told to is hung: then it counts as lost. */
const hungMs = 60_000;

/** Runs commands through the machine's program and ends them. Nothing is ever sent a second time. */
export class ServedCommands {
  readonly #parts: ServedCommandsParts;

  constructor(parts: ServedCommandsParts) {
    this.#parts = parts;
  }

  async exec(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
    checkCommand(argv, options);
    const limit = options.maxOutputBytes ?? defaultOutputBytes;
    const stdout = new OutputBuffer(limit);
    const stderr = new OutputBuffer(limit);
    if (options.signal?.aborted) return commandResult({ kind: "aborted" }, 0, stdout, stderr);
    await using _network = await this.#network(options);
    const began = this.#parts.clock.monotonic();
    const { client, channel } = await this.#open(argv, options, options.stdin !== undefined);
    const read = [drainInto(channel.stdout, stdout), drainInto(channel.stderr, stderr)];
    if (options.stdin !== undefined) channel.stdin.end(options.stdin);
    const end = await this.#end(client, channel, options);
    await Promise.all(read);
    return commandResult(end, this.#parts.clock.monotonic() - began, stdout, stderr);
  }

  async spawn(argv: readonly string[], options: CommandOptions): Promise<SandboxProcess> {
    checkCommand(argv, options);
    const network = await this.#network(options);
    const began = this.#parts.clock.monotonic();
    const { client, channel } = await this.#open(argv, options, true);
    let over = false;
    const ended = this.#end(client, channel, options).then(async (end) => {
      over = true;
      const nothing = new Uint8Array();
      const wallMs = this.#parts.clock.monotonic() - began;
      await network?.[Symbol.asyncDispose]();
      const { stdout, stderr } = channel.received;
      return { end, stdout: nothing, stderr: nothing, stdoutBytes: stdout, stderrBytes: stderr, wallMs };
    });
    const settled = ended.then(
      () => undefined,
      () => undefined,
    );
    const { clock } = this.#parts;
    return {
      stdin: channel.stdin,
      stdout: channel.stdout,
      stderr: channel.stderr,
      ended,
      async stop(graceMs = 0) {
        if (over) return;
        if (graceMs > 0) {
          channel.end(true);
          const waiting = new AbortController();
          const grace = clock.sleep(graceMs, waiting.signal).catch(() => undefined);
          await Promise.race([settled, grace]);
          waiting.abort();
        }
        channel.end(false);
        await settled;
      },
    };
  }

  async #open(
    argv: readonly string[],
    options: CommandOptions,
    stdin: boolean,
  ): Promise<{ readonly client: MachineClient; readonly channel: MachineChannel }> {
    const client = await this.#parts.client();
    const channel = client.channel({
      op: "run",
      argv: [...argv],
      user: options.user ?? "agent",
      cwd: options.cwd ?? homeOf(options),
      env: commandEnvironment(this.#parts.env, options),
      network: options.network ?? "sandbox",
      stdin,
    });
    // A program need not read all its input.
    channel.stdin.on("error", () => channel.stdin.destroy());
    return { client, channel };
  }

  async #end(client: MachineClient, channel: MachineChannel, options: CommandOptions): Promise<CommandEnd> {
    let forced: CommandEnd | undefined;
    const settled = new AbortController();
    const force = (end: CommandEnd): void => {
      forced ??= end;
      channel.end(false);
      this.#parts.clock.sleep(hungMs, settled.signal).then(
        () => client.close(),
        () => undefined,
      );
    };
    const abort = (): void => force({ kind: "aborted" });
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener("abort", abort, { once: true });
    const { timeoutMs } = options;
    if (timeoutMs !== undefined) {
      this.#parts.clock.sleep(timeoutMs, settled.signal).then(
        () => force({ kind: "timed-out", afterMs: timeoutMs }),
        () => undefined,
      );
    }
    try {
      return endOf(accepted(await channel.answer), forced);
    } catch (error) {
      if (this.#parts.disposed?.() === true) return { kind: "signalled", signal: "SIGKILL" };
      throw error;
    } finally {
      settled.abort();
      options.signal?.removeEventListener("abort", abort);
    }
  }

  async #network(options: CommandOptions): Promise<AsyncDisposable | undefined> {
    return options.network === "host" ? this.#parts.openNetwork?.() : undefined;
  }
}

function endOf(answer: Told, forced: CommandEnd | undefined): CommandEnd {
  if (typeof answer["failed"] === "string") {
    return forced?.kind === "aborted" ? forced : { kind: "not-started", message: answer["failed"] };
  }
  if (forced !== undefined) return forced;
  const end: CommandEnd =
    typeof answer["signal"] === "string"
      ? { kind: "signalled", signal: answer["signal"] }
      : { kind: "exited", code: Number(answer["exit"]) };
  return withMemoryKills(end, Number(answer["memoryKills"] ?? 0));
}
