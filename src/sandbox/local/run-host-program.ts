import { spawn } from "node:child_process";

/** The environment of every program of the host that we start: nothing of the caller's. */
export const hostEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C.UTF-8",
};

export interface HostProgramResult {
  /** Exit status; 128 and more when a signal ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a small trusted program of the host to its end. Rejects only when it cannot be started. */
export function runHostProgram(argv: readonly string[], cwd = "/"): Promise<HostProgramResult> {
  return new Promise((resolve, reject) => {
    const [program = "", ...rest] = argv;
    const child = spawn(program, rest, { cwd, env: hostEnvironment, stdio: ["ignore", "pipe", "pipe"] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({
        code: code ?? 128,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
  });
}
