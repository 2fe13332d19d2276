import { constants, homedir } from "node:os";
import { join } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { CliContext, ExitStatus, TextSink } from "./cli-context.ts";
import { plainText } from "./output/plain-text.ts";
import { createSystemClock } from "./system-clock.ts";

/** The real process as a command's surroundings. Reads the environment, here and nowhere else. */
export function createProcessContext(process: NodeJS.Process): CliContext {
  const interrupts = watchInterrupts(process);
  dieWithLauncher(process);
  let exitStatus: ExitStatus = 0;
  return {
    out: createSink(process.stdout),
    err: createSink(process.stderr),
    cwd: process.cwd(),
    folders: {
      cache:
        process.env["ALE_CACHE_DIR"] ??
        join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "ale"),
      state:
        process.env["ALE_STATE_DIR"] ??
        join(process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state"), "ale"),
      config:
        process.env["ALE_CONFIG_DIR"] ??
        join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "ale"),
    },
    clock: createSystemClock(),
    pid: process.pid,
    nodeBinary: process.execPath,
    environment: variablesOf(process.env),
    secrets: secretsOf(process.env),
    invocation: ["ale", ...process.argv.slice(2)],
    get interrupted() {
      return interrupts.first();
    },
    get atOnce() {
      return interrupts.second();
    },
    closing: new AsyncDisposableStack(),
    setExitStatus(status) {
      if (status > exitStatus) exitStatus = status;
      process.exitCode = exitStatus;
    },
  };
}

function variablesOf(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const secretName = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/i;

function secretsOf(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && value !== "" && secretName.test(name) ? [[name, value]] : [],
    ),
  );
}

function createSink(stream: NodeJS.WriteStream): TextSink {
  // A reader that has seen enough (`| head`) is no error.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    write: (text) => void stream.write(plainText(text)),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 160;
    },
  };
}

interface Interrupts {
  readonly first: () => AbortSignal;
  readonly second: () => AbortSignal;
}

/**
 * The first Ctrl-C (or SIGTERM) asks to finish tearing down, the second to stop at once. A command that never asks
 * for these signals is ended by the first one, as any program is; one that only asks for the first, by the second;
 * any command by the third.
 */
function watchInterrupts(process: NodeJS.Process): Interrupts {
  const first = new AbortController();
  const second = new AbortController();
  let isWatching = false;
  let isSecondHeard = false;
  const interrupt = (signal: NodeJS.Signals): void => {
    const isLast = second.signal.aborted || (first.signal.aborted && !isSecondHeard);
    if (isLast) process.exit(128 + constants.signals[signal]);
    (first.signal.aborted ? second : first).abort(interruption(signal));
  };
  const watch = (): void => {
    if (isWatching) return;
    isWatching = true;
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", interrupt);
  };
  return {
    first() {
      watch();
      return first.signal;
    },
    second() {
      watch();
      isSecondHeard = true;
      return second.signal;
    },
  };
}

function interruption(signal: NodeJS.Signals): AleError {
  return new AleError({ code: "interrupted", message: `ended by ${signal}` });
}

/** Under the launcher of an older Node: its end, however it came, is ours. */
function dieWithLauncher(process: NodeJS.Process): void {
  if (process.env["ALE_LAUNCHER"] !== String(process.ppid) || process.channel === undefined) return;
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel?.unref();
}
