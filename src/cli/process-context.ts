import { homedir } from "node:os";
import { join } from "node:path";
import type { CliContext, ExitStatus, TextSink } from "./cli-context.ts";
import { createSystemClock } from "./system-clock.ts";

/** The real process as a command's surroundings. Reads the environment, here and nowhere else. */
export function createProcessContext(process: NodeJS.Process): CliContext {
  const { interrupted, atOnce } = watchInterrupts(process);
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
    },
    clock: createSystemClock(),
    pid: process.pid,
    nodeBinary: process.execPath,
    color: process.env["NO_COLOR"] === undefined && process.stdout.isTTY === true,
    secrets: secretsOf(process.env),
    invocation: ["ale", ...process.argv.slice(2)],
    interrupted,
    atOnce,
    setExitStatus(status) {
      if (status > exitStatus) exitStatus = status;
      process.exitCode = exitStatus;
    },
  };
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
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 160;
    },
  };
}

/** The first Ctrl-C (or SIGTERM) asks to finish tearing down, the second to stop at once. */
function watchInterrupts(process: NodeJS.Process): { interrupted: AbortSignal; atOnce: AbortSignal } {
  const first = new AbortController();
  const second = new AbortController();
  const interrupt = (): void => (first.signal.aborted ? second : first).abort();
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return { interrupted: first.signal, atOnce: second.signal };
}

/** Under the launcher of an older Node: its end, however it came, is ours. */
function dieWithLauncher(process: NodeJS.Process): void {
  if (process.env["ALE_LAUNCHER"] !== String(process.ppid) || process.channel === undefined) return;
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel?.unref();
}
