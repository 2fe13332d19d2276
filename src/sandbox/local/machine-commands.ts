import { rmdirSync } from "node:fs";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { checkCommand } from "../check-command.ts";
import type { CommandOptions, CommandResult } from "../command.ts";
import { commandResult } from "../command-result.ts";
import { OutputBuffer } from "../output-buffer.ts";
import { readProcessFile, signalProcess } from "../process-identity.ts";
import type { QuiesceReport, SandboxProcess } from "../sandbox.ts";
import { killGroup } from "./cgroup-end.ts";
import { commandArguments, type EnterContext, enterForMounting } from "./command-arguments.ts";
import type { CommandGroup, MachineCgroup } from "./machine-cgroup.ts";
import type { OutputStream } from "./output-stream.ts";
import type { PipePool } from "./pipe-pool.ts";
import { isInside, killTree, leaderOf, processesInside } from "./process-tree.ts";
import { runHostProgram } from "./run-host-program.ts";
import { type CommandInput, RunningCommand } from "./running-command.ts";

export interface MachineCommandsParts extends EnterContext {
  readonly cgroup: MachineCgroup;
  readonly pipes: PipePool;
  readonly clock: Clock;
}

const defaultOutputBytes = 1024 * 1024;

/** Runs commands in a machine and ends them. */
export class MachineCommands {
  readonly #parts: MachineCommandsParts;
  readonly #streams: Set<OutputStream> = new Set();
  #started = 0;

  constructor(parts: MachineCommandsParts) {
    this.#parts = parts;
  }

  async exec(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
    const limit = options.maxOutputBytes ?? defaultOutputBytes;
    const input =
      options.stdin === undefined
        ? { kind: "none" as const }
        : { kind: "given" as const, content: options.stdin };
    const stdout = new OutputBuffer(limit);
    const stderr = new OutputBuffer(limit);
    checkCommand(argv, options);
    // Killed after its start it might have done something before.
    if (options.signal?.aborted) return commandResult({ kind: "aborted" }, 0, stdout, stderr);
    const command = await this.#start(argv, options, input);
    command.stdout.reader.on("data", (chunk: Buffer) => stdout.write(chunk));
    command.stderr.reader.on("data", (chunk: Buffer) => stderr.write(chunk));
    const { end, wallMs } = await command.ended;
    return commandResult(end, wallMs, stdout, stderr);
  }

  async spawn(argv: readonly string[], options: CommandOptions): Promise<SandboxProcess> {
    const command = await this.#start(argv, options, { kind: "interactive" });
    const nothing = new Uint8Array();
    const ended = command.ended.then(({ end, wallMs }) => ({
      end,
      stdout: nothing,
      stderr: nothing,
      stdoutBytes: command.stdout.bytes,
      stderrBytes: command.stderr.bytes,
      wallMs,
    }));
    ended.catch(() => undefined);
    const { clock } = this.#parts;
    return {
      stdin: command.stdin as NonNullable<RunningCommand["stdin"]>,
      stdout: command.stdout.reader,
      stderr: command.stderr.reader,
      ended,
      async stop(graceMs = 0) {
        if (command.exited) return;
        if (graceMs > 0) {
          const leader = leaderOf(command.pid);
          if (leader !== undefined) signalProcess(-leader, "SIGTERM");
          const waiting = new AbortController();
          const grace = clock.sleep(graceMs, waiting.signal).catch(() => undefined);
          await Promise.race([command.ended.catch(() => undefined), grace]);
          waiting.abort();
        }
        await command.kill();
        await command.ended;
      },
    };
  }

  /** Ends every process in the machine but its first. */
  async endAll(): Promise<QuiesceReport> {
    const { machine, clock } = this.#parts;
    const names = this.#left()
      .map(commandName)
      .filter((name) => name !== "");
    const end = clock.monotonic() + 10_000;
    for (let left = this.#left(); left.length > 0; left = this.#left()) {
      if (machine.gone || clock.monotonic() > end) {
        throw new AleError({
          code: machine.gone ? "sandbox-gone" : "sandbox-stuck",
          message: `${left.length} processes in the sandbox could not be ended.`,
        });
      }
      // The kernel signals all of them at once, so that none is born meanwhile.
      await runHostProgram([...enterForMounting(this.#parts), "/bin/sh", "-c", "kill -9 -1"]);
    }
    return { ended: names };
  }

  /** From now on nobody changes, renames or replaces the path. */
  async makeReadOnly(path: string): Promise<void> {
    const script = 'mount --bind -- "$1" "$1" && mount -o remount,bind,ro,nosuid,nodev -- "$1"';
    const argv = [...enterForMounting(this.#parts), "/bin/sh", "-c", script, "ale", path];
    const result = await runHostProgram(argv);
    if (result.code === 0) return;
    throw new AleError({
      code: "sandbox-path",
      message: `${path} could not be made read-only: ${result.stderr.trim()}`,
      fields: { path },
    });
  }

  /** Lets go of the streams of processes that outlived their command. */
  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  async #start(
    argv: readonly string[],
    options: CommandOptions,
    input: CommandInput,
  ): Promise<RunningCommand> {
    checkCommand(argv, options);
    const { cgroup, pipes, clock, machine } = this.#parts;
    const group = cgroup.openCommand(`command-${this.#started++}`);
    const command = await RunningCommand.start(
      {
        argv: commandArguments(this.#parts, argv, options, group?.folders ?? []),
        options,
        pipes,
        clock,
        killAll: (launcherPid) =>
          group === undefined ? killTree(launcherPid, clock) : killGroup(group.own, clock),
        finished: () => {
          if (group !== undefined) closeGroup(group);
        },
        machineGone: () => machine.gone,
        memoryKills: () => cgroup.memoryKills(),
      },
      input,
    );
    for (const stream of [command.stdout, command.stderr]) {
      this.#streams.add(stream);
      stream.closed.then(() => this.#streams.delete(stream));
    }
    return command;
  }

  /** What commands left running, by host process number. */
  #left(): readonly number[] {
    const { cgroup, machine } = this.#parts;
    const grouped = cgroup.workProcesses();
    return grouped === undefined
      ? processesInside(machine.initPid)
      : grouped.filter((pid) => isInside(pid, machine.initPid));
  }
}

/** Background processes may still be in it: then it goes with the machine, if that has not gone first. */
function closeGroup(group: CommandGroup): void {
  try {
    rmdirSync(group.own);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EBUSY" && code !== "ENOENT") throw error;
  }
}

function commandName(pid: number): string {
  return (readProcessFile(pid, "comm") ?? "").trim();
}
