import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import { processesNaming } from "../../local/process-tree.ts";
import { hostClock } from "../../local/test-support/host-clock.ts";
import { signalProcess } from "../../process-identity.ts";
import { connectEngine } from "../engine.ts";

/** A Docker daemon of the test's own: it shares nothing with one that may run on this host. */
export interface TestDaemon extends AsyncDisposable {
  readonly socket: string;
  /** Where it keeps what it has. */
  readonly data: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

const patienceMs = 120_000;

export interface TestDaemonOptions {
  /** Of all it keeps, in MiB; default as much as the host's disk has. */
  readonly diskMb?: number;
  /** How it is started, before its own name; default as it is. */
  readonly within?: readonly string[];
  /** Its network; default none, so that the host's is not touched. */
  readonly network?: readonly string[];
}

/** Starts dockerd. Its data is removed when it is disposed of. */
export async function startDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const { diskMb, within = [], network = ["--iptables=false", "--bridge=none"] } = options;
  const folder = await mkdtemp(join(tmpdir(), "ale-dockerd-"));
  const socket = join(folder, "docker.sock");
  const data = join(folder, "data");
  if (diskMb !== undefined) {
    await mkdir(data);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m`, "ale-test", data]);
  }
  const [program = "", ...args] = [
    ...[...within, "dockerd"],
    ...["--data-root", data, "--exec-root", join(folder, "exec")],
    ...["--pidfile", join(folder, "pid"), "--host", `unix://${socket}`],
    // It would try for a minute what is to fail.
    ...["--max-download-attempts=1", ...network],
  ];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000);
  });
  const exited = once(child, "exit");
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  const end = hostClock.monotonic() + patienceMs;
  while (!existsSync(socket) || !(await daemonAnswers(socket))) {
    if (child.exitCode !== null || hostClock.monotonic() > end) {
      await stop("SIGKILL");
      throw new AleError({ code: "test-daemon", message: `dockerd did not start:\n${log}` });
    }
    await hostClock.sleep(50);
  }
  return {
    socket,
    data,
    kill: () => stop("SIGKILL"),
    async [Symbol.asyncDispose]() {
      await stop("SIGTERM");
      clearRemains(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** A daemon that was killed leaves the parents of its containers, and their mounts. */
export function clearRemains(folder: string): void {
  for (const pid of processesNaming(folder)) signalProcess(pid, "SIGKILL");
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of mounts.toReversed()) execFileSync("umount", ["--lazy", path]);
}

/** Whether a daemon listens on the socket. */
export function daemonAnswers(socket: string): Promise<boolean> {
  return connectEngine([socket]).then(
    () => true,
    () => false,
  );
}
