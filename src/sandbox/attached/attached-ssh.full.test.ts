import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rmdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attachedConformance, attachedSpec } from "../../../test/support/attached/attached-pair.ts";
import { attachedIn } from "../../../test/support/attached/attached-target.ts";
import { startSshMachine } from "../../../test/support/attached/ssh-machine.ts";
import { describeEnd } from "../command.ts";

/** Of control groups of version 1; a machine of namespaces is given a group from outside. */
const memoryGroups = "/sys/fs/cgroup/memory";

const pair = attachedConformance("attached machines over SSH", startSshMachine);

describe("an attached machine", () => {
  test("is lent to one at a time: another exam is told whose it is", async () => {
    const one = pair.machines.slice(0, 1).map((entry) => entry.machine);
    await using first = await attachedIn(join(pair.folder, "a"), one).create(attachedSpec);
    const other = attachedIn(join(pair.folder, "b"), one, 0);
    await expect(other.create(attachedSpec)).rejects.toMatchObject({
      code: "sandbox-create",
      message: expect.stringMatching(/one is lent to attached, trial trial, on .* until /) as string,
    });
    await first[Symbol.asyncDispose]();
    await using second = await other.create(attachedSpec);
    expect(second.id).not.toBe(first.id);
  });

  test("is waited for while another has it", async () => {
    const provider = attachedIn(
      join(pair.folder, "c"),
      pair.machines.slice(0, 1).map((entry) => entry.machine),
    );
    const first = await provider.create(attachedSpec);
    const second = provider.create(attachedSpec);
    await first[Symbol.asyncDispose]();
    await using _sandbox = await second;
  });

  test("is clean for each lease: nothing of the last one's files and processes is left", async () => {
    const provider = attachedIn(
      join(pair.folder, "d"),
      pair.machines.slice(0, 1).map((entry) => entry.machine),
    );
    const first = await provider.create(attachedSpec);
    await writeFile(join(pair.folder, "input.txt"), "secret");
    await first.upload(join(pair.folder, "input.txt"), "/home/agent/input/one", { readOnly: true });
    await first.exec(["sh", "-c", "echo a > note; echo b > /tmp/note; sleep 3901 &"]);
    await first[Symbol.asyncDispose]();
    await using second = await provider.create(attachedSpec);
    const seen = await second.exec(["sh", "-c", "ls -AR ~ /tmp; cat /proc/*/cmdline | tr '\\0' ' '"]);
    expect(String(Buffer.from(seen.stdout))).not.toMatch(/note|one\n|sleep 3901/);
  });

  test("runs its reset before each lease, and a reset that fails is told", async () => {
    const [first] = pair.machines;
    if (first === undefined) return;
    const reset = (argv: readonly string[]) => [
      { ...first.machine, reset: { on: "machine", argv, limitMs: 10_000 } as const },
    ];
    const working = attachedIn(join(pair.folder, "e"), reset(["sh", "-c", "date > /opt/was-reset"]));
    await using sandbox = await working.create(attachedSpec);
    expect(await sandbox.stat("/opt/was-reset")).toMatchObject({ owner: "root" });
    await sandbox[Symbol.asyncDispose]();
    const broken = attachedIn(join(pair.folder, "f"), reset(["sh", "-c", "echo no disk >&2; exit 3"]));
    await expect(broken.create(attachedSpec)).rejects.toThrow(
      /reset of one, sh -c .*, failed: exit 3: no disk/,
    );
  });

  test("whose connection is cut loses the command in flight, and serves on", async () => {
    const [first] = pair.machines;
    if (first === undefined) return;
    await using sandbox = await attachedIn(join(pair.folder, "g"), [first.machine]).create(attachedSpec);
    await sandbox.exec(["sh", "-c", "echo kept > note; (trap '' HUP; exec sleep 3902) > /dev/null 2>&1 &"]);
    const running = await sandbox.spawn(["sh", "-c", "echo ran >> count; echo begun; sleep 3903"]);
    await once(running.stdout, "data");
    cutConnections(first.namespace.pid);
    await expect(running.ended).rejects.toMatchObject({ code: "sandbox-gone" });
    const seen = await sandbox.exec(["sh", "-c", "cat note count; cat /proc/*/cmdline | tr '\\0' ' '"]);
    expect(String(Buffer.from(seen.stdout))).toMatch(/^kept\nran\n.*sleep 3902/s);
    expect(String(Buffer.from(seen.stdout))).not.toContain("sleep 3903");
  });

  test.skipIf(!existsSync(memoryGroups))("says whom its kernel killed for want of memory", async () => {
    const [first] = pair.machines;
    if (first === undefined) return;
    const group = await mkdtemp(join(memoryGroups, "ale-test-"));
    try {
      await writeFile(join(group, "memory.limit_in_bytes"), String(64 * 1024 * 1024));
      await using sandbox = await attachedIn(join(pair.folder, "m"), [first.machine]).create(attachedSpec);
      const greedy = `$| = 1; print "begun\n"; <STDIN>; $x = "x" x 300_000_000; print length $x; # ${group}`;
      const running = await sandbox.spawn(["perl", "-e", greedy]);
      await once(running.stdout, "data");
      const { stdout } = spawnSync("pgrep", ["-f", `^perl -e .*${group}`], { encoding: "utf8" });
      await writeFile(join(group, "cgroup.procs"), stdout.trim());
      running.stdin.end("go on\n");
      running.stdout.resume();
      expect(describeEnd((await running.ended).end)).toBe("SIGKILL, out of memory");
      expect(describeEnd((await sandbox.exec(["sh", "-c", "kill -9 $$"])).end)).toBe("SIGKILL");
    } finally {
      await rmdir(group);
    }
  });

  test("reaches a unix socket of the host through a forwarded port, with its network off", async () => {
    const [first] = pair.machines;
    if (first === undefined) return;
    const path = join(pair.folder, "gateway.sock");
    const body = "0123456789".repeat(200_000);
    const server = createServer((request, response) => {
      request.resume().once("end", () => response.end(request.url === "/large" ? body : "hello"));
    });
    server.listen(path);
    await once(server, "listening");
    try {
      await using sandbox = await attachedIn(join(pair.folder, "h"), [first.machine]).create(attachedSpec);
      await using way = await sandbox.forward?.(path);
      const at = `http://127.0.0.1:${way?.port}`;
      const fetched = await sandbox.exec([
        "python3",
        "-c",
        `import urllib.request as u; print(u.urlopen('${at}/small').read().decode(), len(u.urlopen('${at}/large').read()))`,
      ]);
      expect(String(Buffer.from(fetched.stdout))).toBe(`hello ${body.length}\n`);
    } finally {
      server.close();
    }
  });

  test("with another host key, or none written down, is not connected to", async () => {
    const [first] = pair.machines;
    if (first === undefined) return;
    const { hostKey, ...unknown } = first.machine;
    const seen = await attachedIn(join(pair.folder, "i"), [unknown]).preflight();
    expect(seen).toMatchObject([{ severity: "error", code: "machine-host-key" }]);
    expect(seen[0]?.remedy).toContain(`host_key: ${hostKey}`);
    const other = { ...first.machine, hostKey: `SHA256:${"A".repeat(43)}` };
    expect(await attachedIn(join(pair.folder, "j"), [other]).preflight()).toMatchObject([
      { severity: "error", code: "machine-host-key" },
    ]);
  });
});

/** Ends every connection's process of the machine's sshd, as a cut line would. */
function cutConnections(sshd: number): void {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(sshd)], { encoding: "utf8" });
  for (const pid of stdout.split(/\s+/).filter(Boolean)) process.kill(Number(pid), "SIGKILL");
}
