import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import { hostClock } from "../../local/test-support/host-clock.ts";
import { signalProcess } from "../../process-identity.ts";
import { clearRemains, daemonAnswers } from "./start-daemon.ts";
import { podmanSettings } from "./start-podman.ts";

/** A daemon of an ordinary user, with that user's data and settings. */
export interface RootlessDaemon extends AsyncDisposable {
  readonly socket: string;
  readonly uid: number;
  /** The user's own, for whatever a test keeps. */
  readonly home: string;
}

/** A user nobody is, and the users that it may give to its containers. */
const [uid, firstSubordinate, subordinates] = [1_899_999_997, 1_900_000_000, 65_536];
const patienceMs = 120_000;

/** Before Debian's own script, or Podman, as an ordinary user: an account, devices, and no root of this host any more. */
const become = `set -eu
folder=$1 uid=$2 first=$3 count=$4
shift 4
mkdir -p "$folder/etc" "$folder/dev" "$folder/home" "$folder/runtime"
{ cat /etc/passwd; echo "ale-test:x:$uid:$uid::$folder/home:/bin/sh"; } > "$folder/etc/passwd"
{ cat /etc/group; echo "ale-test:x:$uid:"; } > "$folder/etc/group"
echo "ale-test:$first:$count" | tee "$folder/etc/subuid" > "$folder/etc/subgid"
mknod -m 666 "$folder/dev/fuse" c 10 229
mknod -m 666 "$folder/dev/tun" c 10 200
for name in passwd group subuid subgid; do mount --bind "$folder/etc/$name" "/etc/$name"; done
mount --bind "$folder/dev/fuse" /dev/fuse
mount --bind "$folder/dev/tun" /dev/net/tun
chown "$uid:$uid" "$folder/home" "$folder/runtime"
chmod 700 "$folder/runtime"
cd "$folder/home"
exec setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@"
`;

/** Starts it in a view of its own on this host's accounts and devices, which stay as they are. */
export async function startRootless(kind: "docker" | "podman"): Promise<RootlessDaemon> {
  const folder = await mkdtemp(join(tmpdir(), "ale-rootless-"));
  await chmod(folder, 0o755);
  const [home, runtime] = [join(folder, "home"), join(folder, "runtime")];
  const socket = join(runtime, "daemon.sock");
  const env = {
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: home,
    USER: "ale-test",
    XDG_RUNTIME_DIR: runtime,
    ...(kind === "podman" ? await settings(folder) : {}),
  };
  const command = kind === "podman" ? podman(socket) : docker(socket, home, runtime);
  const child = spawn(
    "unshare",
    [
      "--mount",
      "sh",
      "-c",
      become,
      "sh",
      folder,
      ...[uid, firstSubordinate, subordinates].map(String),
      ...command,
    ],
    { env, stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000);
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await exited;
    // What holds its namespaces open has no name of this folder.
    while (processesOfUser().length > 0) {
      for (const pid of processesOfUser()) signalProcess(pid, "SIGKILL");
      await hostClock.sleep(20);
    }
    clearRemains(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const end = hostClock.monotonic() + patienceMs;
  while (!(await daemonAnswers(socket))) {
    if (child.exitCode !== null || hostClock.monotonic() > end) {
      await stop();
      throw new AleError({ code: "test-daemon", message: `rootless ${kind} did not start:\n${log}` });
    }
    await hostClock.sleep(100);
  }
  return { socket, uid, home, [Symbol.asyncDispose]: stop };
}

function docker(socket: string, home: string, runtime: string): readonly string[] {
  return [
    ...["sh", "/usr/share/docker.io/contrib/dockerd-rootless.sh", "--host", `unix://${socket}`],
    ...["--data-root", join(home, "data"), "--exec-root", join(runtime, "exec")],
    ...["--pidfile", join(runtime, "pid")],
  ];
}

function podman(socket: string): readonly string[] {
  return ["podman", "system", "service", "--time", "0", `unix://${socket}`];
}

/** Podman would copy whole images where nothing is said of layers. */
async function settings(folder: string): Promise<Readonly<Record<string, string>>> {
  const [containers, storage] = [join(folder, "containers.conf"), join(folder, "storage.conf")];
  await writeFile(containers, await podmanSettings());
  const overlay = '[storage.options.overlay]\nmount_program = "/usr/bin/fuse-overlayfs"\n';
  await writeFile(storage, `[storage]\ndriver = "overlay"\n${overlay}`);
  return { CONTAINERS_CONF: containers, CONTAINERS_STORAGE_CONF: storage };
}

/** Of the user, and of those it gave to containers; not those that have ended. */
function processesOfUser(): readonly number[] {
  const own = (owner: number): boolean =>
    owner === uid || (owner >= firstSubordinate && owner < firstSubordinate + subordinates);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const status = readStatus(pid);
      return own(Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? -1)) && !/^State:\s+Z/m.test(status);
    });
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
