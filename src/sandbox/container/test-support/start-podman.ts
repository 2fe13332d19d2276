import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import { hostClock } from "../../local/test-support/host-clock.ts";
import { clearRemains, daemonAnswers } from "./start-daemon.ts";

export interface TestPodman extends AsyncDisposable {
  readonly socket: string;
}

const patienceMs = 120_000;
/** Enough for any case of the suite. */
const mostOfAnything = 16_384;

/**
 * Podman's service with settings and data of the test's own.
 *
 * @param registry address of one that it may ask without encryption
 */
export async function startPodman(registry?: string): Promise<TestPodman> {
  const folder = await mkdtemp(join(tmpdir(), "ale-podman-"));
  const socket = join(folder, "podman.sock");
  const settings = join(folder, "containers.conf");
  await writeFile(settings, await podmanSettings());
  const places = [
    ...["--root", join(folder, "root"), "--runroot", join(folder, "run"), "--tmpdir", join(folder, "tmp")],
  ];
  const registries = join(folder, "registries.conf");
  const entry = registry === undefined ? "" : `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`;
  await writeFile(registries, entry);
  const env = { ...hostPath, CONTAINERS_CONF: settings, CONTAINERS_REGISTRIES_CONF: registries };
  const child = spawn("podman", [...places, "system", "service", "--time", "0", `unix://${socket}`], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000);
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await exited;
    execFileSync("podman", [...places, "rm", "--all", "--force", "--volumes"], { env, stdio: "ignore" });
    clearRemains(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const end = hostClock.monotonic() + patienceMs;
  while (!(await daemonAnswers(socket))) {
    if (child.exitCode !== null || hostClock.monotonic() > end) {
      await stop();
      throw new AleError({ code: "test-daemon", message: `podman did not start:\n${log}` });
    }
    await hostClock.sleep(50);
  }
  return { socket, [Symbol.asyncDispose]: stop };
}

const hostPath = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/** For hosts without systemd, and where limits cannot be raised. */
export async function podmanSettings(): Promise<string> {
  const limits = await readFile("/proc/self/limits", "utf8");
  const hard = (name: string): number => {
    const found = new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, "m").exec(limits)?.[1];
    return Math.min(Number(found ?? mostOfAnything), mostOfAnything);
  };
  const files = hard("Max open files");
  const processes = hard("Max processes");
  return [
    "[containers]",
    `default_ulimits = ["nofile=${files}:${files}", "nproc=${processes}:${processes}"]`,
    "[engine]",
    'cgroup_manager = "cgroupfs"',
    'events_logger = "file"',
    'runtime = "runc"',
    "",
  ].join("\n");
}
