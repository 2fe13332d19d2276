import { Buffer } from "node:buffer";
import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { parseJson } from "../../../contract/json-fields.ts";
import type { CommandEnd, CommandOptions, CommandResult } from "../../command.ts";
import { OutputBuffer } from "../../output-buffer.ts";
import type { GuestAgentClient } from "../guest-agent/guest-agent-client.ts";
import {
  powershellArguments,
  powershellLiteral,
  windowsCommandLine,
  windowsPath,
  windowsText,
} from "./windows-words.ts";

const powershell = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";

/** Longer than any command of ours is let run: the script ends what it started well before. */
const longestMs = 24 * 3600 * 1000;

/**
 * Commands and files of a Windows guest by way of its guest agent, which runs as the system. A command is started by a
 * script of PowerShell's, which gives it its folder, its environment and its time, and tells how it ended.
 */
export class WindowsGuest {
  readonly #agent: GuestAgentClient;
  readonly #clock: Clock;

  constructor(agent: GuestAgentClient, clock: Clock) {
    this.#agent = agent;
    this.#clock = clock;
  }

  /** Runs a command as the system to its end; output beyond what the agent keeps (16 MiB) is lost, and said to be. */
  async exec(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    const began = this.#clock.monotonic();
    const script = commandScript(argv, options);
    const { stdin } = options;
    const input =
      stdin === undefined ? {} : { input: typeof stdin === "string" ? Buffer.from(stdin) : stdin };
    const end = await this.#agent.run(
      { path: powershell, arguments: powershellArguments(script), ...input },
      longestMs,
    );
    if (end === undefined)
      throw new AleError({ code: "sandbox-gone", message: "The guest does not end a command." });
    const limit = options.maxOutputBytes ?? 1024 * 1024;
    const { stdout, status } = splitStatus(end.stdout);
    return {
      end: endOf(status, options),
      stdout: keep(stdout, limit),
      stderr: keep(end.stderr, limit),
      stdoutBytes: stdout.length,
      stderrBytes: end.stderr.length,
      wallMs: this.#clock.monotonic() - began,
    };
  }

  async readFile(path: string, maxBytes: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#agent.readFile(windowsPath(path), maxBytes));
  }

  async writeFile(path: string, content: Uint8Array | string): Promise<void> {
    const target = windowsPath(path);
    const parent = target.slice(0, target.lastIndexOf("\\"));
    await this.#script(
      `New-Item -ItemType Directory -Force -LiteralPath ${powershellLiteral(parent)} | Out-Null`,
    );
    await this.#agent.writeFile(target, typeof content === "string" ? Buffer.from(content) : content);
  }

  /** Names in a folder, sorted. */
  async list(path: string): Promise<readonly string[]> {
    const folder = powershellLiteral(windowsPath(path));
    const text = await this.#script(
      `ConvertTo-Json -Compress @(Get-ChildItem -Force -LiteralPath ${folder} | ForEach-Object Name)`,
    );
    const names = parseJson(text.trim() === "" ? "[]" : text);
    return (Array.isArray(names) ? names : [names]).map(String).sort();
  }

  async remove(path: string): Promise<void> {
    const target = powershellLiteral(windowsPath(path));
    await this.#script(
      `if (Test-Path -LiteralPath ${target}) { Remove-Item -Recurse -Force -LiteralPath ${target} }`,
    );
  }

  async #script(script: string): Promise<string> {
    const whole = `${preamble}\n${script}\n`;
    const end = await this.#agent.run({ path: powershell, arguments: powershellArguments(whole) }, 60_000);
    if (end?.code === 0) return windowsText(end.stdout);
    const said = end === undefined ? "it did not end" : windowsText(end.stderr).trim();
    throw new AleError({ code: "sandbox-path", message: `PowerShell in the guest: ${said}.` });
  }
}

/** Errors end the script; what is written is UTF-8, without a mark in front. */
const preamble = [
  "$ErrorActionPreference = 'Stop'",
  "[Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false",
].join("\n");

/** Parts the command's own output from the line that tells how it ended; no program writes this by chance. */
const mark = "\u0001ale-end\u0001";

function commandScript(argv: readonly string[], options: CommandOptions): string {
  const [program = "", ...rest] = argv;
  if (program === "") {
    throw new AleError({ code: "sandbox-command", message: "A command needs a program." });
  }
  // The first word of a line is the program's; .NET takes the others as one line of its own.
  const line = windowsCommandLine(["x", ...rest]).slice(2);
  const environment = Object.entries(options.env ?? {}).map(
    ([name, value]) =>
      `$start.EnvironmentVariables[${powershellLiteral(name)}] = ${powershellLiteral(value)}`,
  );
  const folder = windowsPath(options.cwd ?? "/home/agent");
  return [
    preamble,
    "$start = New-Object System.Diagnostics.ProcessStartInfo",
    `$start.FileName = ${powershellLiteral(program)}`,
    `$start.Arguments = ${powershellLiteral(line)}`,
    `$start.WorkingDirectory = ${powershellLiteral(folder)}`,
    "$start.UseShellExecute = $false",
    ...environment,
    `try { $child = [System.Diagnostics.Process]::Start($start) } catch { [Console]::Out.Write(${powershellLiteral(mark)} + 'failed ' + $_.Exception.InnerException.Message); exit 0 }`,
    `$over = $child.WaitForExit(${options.timeoutMs ?? -1})`,
    "if (-not $over) { taskkill /T /F /PID $child.Id | Out-Null; $child.WaitForExit() }",
    `$how = if ($over) { 'exited ' + $child.ExitCode } else { 'timed-out' }`,
    `[Console]::Out.Write(${powershellLiteral(mark)} + $how)`,
    "exit 0",
  ].join("\n");
}

function splitStatus(output: Buffer): { readonly stdout: Buffer; readonly status: string } {
  const at = output.lastIndexOf(mark);
  if (at < 0) return { stdout: output, status: "" };
  const status = output.toString("utf8", at + Buffer.byteLength(mark)).trim();
  return { stdout: output.subarray(0, at), status };
}

function endOf(status: string, options: CommandOptions): CommandEnd {
  if (status === "timed-out") return { kind: "timed-out", afterMs: options.timeoutMs ?? 0 };
  if (status.startsWith("failed ")) return { kind: "not-started", message: status.slice("failed ".length) };
  const code = /^exited (-?\d+)$/.exec(status)?.[1];
  if (code !== undefined) return { kind: "exited", code: Number(code) };
  return { kind: "not-started", message: "PowerShell in the guest did not come to its end" };
}

function keep(bytes: Buffer, limit: number): Uint8Array {
  const buffer = new OutputBuffer(limit);
  buffer.write(bytes);
  return buffer.bytes();
}
