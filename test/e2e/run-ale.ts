import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../source-imports.ts";

export interface AleRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A place of its own for runs, cache and state, removed at the end. */
export interface Workplace extends AsyncDisposable {
  readonly dir: string;
  /** Runs `ale` to its end. */
  ale(...args: readonly string[]): Promise<AleRun>;
  /** The same place with more in the environment. */
  with(environment: Readonly<Record<string, string>>): Pick<Workplace, "ale">;
  /** Starts `ale` in a process group of its own, to be killed. */
  start(...args: readonly string[]): StartedAle;
}

export interface StartedAle {
  readonly ended: Promise<AleRun>;
  /** Calls back with each chunk of standard error. */
  onProgress(listener: (text: string) => void): void;
  /** Calls back with each chunk of standard output. */
  onOutput(listener: (text: string) => void): void;
  /** Sends the whole process group a signal. */
  send(signal: NodeJS.Signals): void;
  /** Kills the whole process group at once, as a power cut would. */
  kill(): void;
}

const launcher = join(repositoryRoot, "bin", "ale.mjs");

export async function createWorkplace(): Promise<Workplace> {
  const dir = await mkdtemp(join(tmpdir(), "ale-e2e-"));
  const environment = {
    ...process.env,
    ALE_CACHE_DIR: join(dir, "cache"),
    ALE_STATE_DIR: join(dir, "state"),
    ALE_CONFIG_DIR: join(dir, "config"),
    NO_COLOR: "1",
  };

  function startIn(more: Readonly<Record<string, string>>, args: readonly string[]): StartedAle {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: dir,
      env: { ...environment, ...more },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    function send(signal: NodeJS.Signals): void {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, signal);
    }
    return {
      ended: new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (status) => resolve({ status, stdout, stderr }));
      }),
      onProgress: (listener) => void child.stderr.on("data", listener),
      onOutput: (listener) => void child.stdout.on("data", listener),
      send,
      kill: () => send("SIGKILL"),
    };
  }

  return {
    dir,
    start: (...args) => startIn({}, args),
    ale: (...args) => startIn({}, args).ended,
    with: (more) => ({ ale: (...args) => startIn(more, args).ended }),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
