import type { Clock } from "../../contract/clock.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { checkCommand } from "../check-command.ts";
import type { CommandEnd, CommandOptions, CommandResult } from "../command.ts";
import { checkEnvironment, homeOf } from "../command-environment.ts";
import { commandResult, drainInto } from "../command-result.ts";
import { OutputBuffer } from "../output-buffer.ts";
import type { SandboxProcess } from "../sandbox.ts";
import { type CommandRequest, StewardCommand } from "./steward-command.ts";
import type { StewardLink } from "./steward-link.ts";

export interface ContainerCommandsParts {
  readonly link: StewardLink;
  readonly clock: Clock;
  /** The image's own variables, then the machine's. */
  readonly env: Readonly<Record<string, string>>;
  /** How a command is said to have ended whose machine is no more; `undefined`: an error. */
  readonly endOfGone: () => CommandEnd | undefined;
}

const defaultOutputBytes = 1024 * 1024;
const nothing = new Uint8Array();

/** Runs commands in a container. */
export class ContainerCommands {
  readonly #parts: ContainerCommandsParts;

  constructor(parts: ContainerCommandsParts) {
    this.#parts = parts;
  }

  async exec(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
    const stdout = new OutputBuffer(options.maxOutputBytes ?? defaultOutputBytes);
    const stderr = new OutputBuffer(options.maxOutputBytes ?? defaultOutputBytes);
    const request = this.#request(argv, options, options.stdin);
    if (options.signal?.aborted) return commandResult({ kind: "aborted" }, 0, stdout, stderr);
    const command = this.#start(request, options);
    const read = Promise.all([drainInto(command.stdout, stdout), drainInto(command.stderr, stderr)]);
    const { end, wallMs } = await command.ended;
    await read;
    return commandResult(end, wallMs, stdout, stderr);
  }

  async spawn(argv: readonly string[], options: CommandOptions): Promise<SandboxProcess> {
    const command = this.#start(this.#request(argv, options, "interactive"), options);
    if (options.signal?.aborted) command.kill({ kind: "aborted" });
    const ended = command.ended.then(({ end, wallMs }) => ({
      end,
      stdout: nothing,
      stderr: nothing,
      stdoutBytes: command.bytes[0],
      stderrBytes: command.bytes[1],
      wallMs,
    }));
    ended.catch(() => undefined);
    const { clock } = this.#parts;
    return {
      stdin: command.stdin,
      stdout: command.stdout,
      stderr: command.stderr,
      ended,
      async stop(graceMs = 0) {
        if (command.settled) return;
        if (graceMs > 0) {
          command.terminate();
          const waiting = new AbortController();
          const grace = clock.sleep(graceMs, waiting.signal).catch(() => undefined);
          await Promise.race([command.ended.catch(() => undefined), grace]);
          waiting.abort();
        }
        command.kill();
        await command.ended;
      },
    };
  }

  #start(request: CommandRequest, options: CommandOptions): StewardCommand {
    const { link, clock, endOfGone } = this.#parts;
    const command = new StewardCommand(link, clock, request, endOfGone);
    command.watch(options.timeoutMs, options.signal);
    return command;
  }

  #request(argv: readonly string[], options: CommandOptions, input: CommandRequest["input"]): CommandRequest {
    checkCommand(argv, options);
    const user = options.user ?? "agent";
    const home = homeOf(options);
    const env = {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      ...this.#parts.env,
      HOME: home,
      USER: user === "root" ? "root" : sandboxLayout.agentUser,
      LANG: this.#parts.env["LANG"] ?? "C.UTF-8",
      TZ: "UTC",
      ...options.env,
    };
    checkEnvironment(env);
    return { argv, user, cwd: options.cwd ?? home, env, input };
  }
}
