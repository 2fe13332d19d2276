import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { CommandEnd, CommandOptions, CommandResult } from "../command.ts";
import { checkPath } from "../files/sandbox-path.ts";
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
    if (options.signal?.aborted) return resultOf({ kind: "aborted" }, stdout, stderr, 0);
    const command = this.#start(request, options);
    const read = Promise.all([readInto(command.stdout, stdout), readInto(command.stderr, stderr)]);
    const { end, wallMs } = await command.ended;
    await read;
    return resultOf(end, stdout, stderr, wallMs);
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
    const odd = argv.length === 0 || argv[0] === "" || argv.some((word) => word.includes("\0"));
    if (odd) {
      throw new AleError({
        code: "sandbox-command",
        message: `${JSON.stringify(argv)} is not a command: it needs a program, and no zero byte anywhere.`,
      });
    }
    if (options.cwd !== undefined) checkPath(options.cwd);
    const user = options.user ?? "agent";
    const home = user === "root" ? "/root" : sandboxLayout.home;
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

function checkEnvironment(env: Readonly<Record<string, string>>): void {
  const odd = Object.entries(env).find(
    ([name, value]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes("\0"),
  );
  if (odd === undefined) return;
  throw new AleError({
    code: "sandbox-environment",
    message: `The environment variable ${JSON.stringify(odd[0])} cannot be set in a sandbox.`,
    remedy: "Use letters, digits and _ in its name, and no zero byte in its value.",
    fields: { name: odd[0] },
  });
}

function readInto(stream: StewardCommand["stdout"], buffer: OutputBuffer): Promise<void> {
  return new Promise((resolve) => {
    stream.on("data", (chunk: Buffer) => buffer.write(chunk));
    stream.once("end", resolve);
    stream.once("close", resolve);
  });
}

function resultOf(
  end: CommandEnd,
  stdout: OutputBuffer,
  stderr: OutputBuffer,
  wallMs: number,
): CommandResult {
  return {
    end,
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    stdoutBytes: stdout.total,
    stderrBytes: stderr.total,
    wallMs,
  };
}
