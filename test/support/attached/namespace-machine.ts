import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signalProcess } from "../../../src/sandbox/process-identity.ts";

/** Mounts a copy-on-write view of this system, without its people's folders, and starts the program in it. */
const script = `
set -e
mount -t tmpfs tmpfs "$1/disk"
mkdir "$1/disk/upper" "$1/disk/work" "$1/disk/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/disk/upper,workdir=$1/disk/work" "$1/disk/root"
cd "$1/disk/root"
for folder in */; do
  case "$folder" in
    bin/ | boot/ | dev/ | etc/ | lib*/ | opt/ | proc/ | sbin/ | sys/ | usr/ | var/) ;;
    *) mount -t tmpfs tmpfs "$folder" ;;
  esac
done
mount -t tmpfs tmpfs var/tmp
chmod 1777 tmp var/tmp
mkdir -p run/sshd dev
mount -t tmpfs tmpfs dev
for node in null zero full random urandom tty; do touch "dev/$node"; mount --bind "/dev/$node" "dev/$node"; done
mkdir dev/pts dev/shm
mount -t devpts devpts dev/pts -o newinstance,ptmxmode=0666
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/\${stream%%:*}" "dev/\${stream#*:}"; done
mount -t tmpfs tmpfs dev/shm -o mode=1777
mount -t proc proc proc
mkdir -p ale-machine
cp "$1"/etc/* ale-machine/
chmod 600 ale-machine/*
hostname ale
echo ale > etc/hostname
# Its number is nobody else's on this host: the kernel counts a user's processes over all machines of namespaces.
sed -i '/:1000:/d' etc/passwd etc/group
chroot . useradd --uid "$2" --user-group --home-dir /home/agent --shell /bin/sh agent
shift 2
exec chroot . "$@"
`;

let agentUid = 48_000 + (process.pid % 1000) * 10;

/** A machine of namespaces on this host, which root alone may make: a system of its own for tests to attach to. */
export interface NamespaceMachine extends AsyncDisposable {
  /** Process 1 of the machine, by its number on the host. */
  readonly pid: number;
  /** What goes before a command of the host's to run it on the machine as root. */
  readonly prefix: readonly string[];
}

/** @param files put into `/ale-machine`, readable by root alone. */
export async function startNamespaceMachine(
  files: Readonly<Record<string, string>>,
  argv: readonly string[],
): Promise<NamespaceMachine> {
  const folder = await mkdtemp(join(tmpdir(), "ale-machine-"));
  await mkdir(join(folder, "disk"));
  await mkdir(join(folder, "etc"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, "etc", name), text);
  const unshare = [
    "--mount",
    "--pid",
    "--uts",
    "--ipc",
    "--fork",
    "--kill-child",
    "--propagation",
    "private",
  ];
  const child = spawn(
    "unshare",
    [...unshare, "sh", "-c", script, "ale", folder, String(agentUid++), ...argv],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const pid = await firstChild(child);
  const prefix = ["nsenter", "-t", String(pid), "-m", "-p", "-u", "-i", "-r", "-w"];
  return {
    pid,
    prefix,
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      signalProcess(pid, "SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port of this host's loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The machine's process 1, once it runs there. */
async function firstChild(child: ChildProcess): Promise<number> {
  let errors = "";
  child.stderr?.on("data", (piece: Buffer) => {
    errors += piece.toString();
  });
  for (;;) {
    const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").catch(() => "");
    const pid = Number(text.trim().split(" ")[0]);
    // Seen from here only once the process has gone into the machine's own tree.
    if (pid > 0 && existsSync(`/proc/${pid}/root/ale-machine`)) return pid;
    if (child.exitCode !== null) throw new Error(`the machine did not start: ${errors}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
