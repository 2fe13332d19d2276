import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, expectFailure, outputOf, shell, text, until } from "../expectations.ts";
import { countOf } from "./signal-cases.ts";

export const isolationCases: readonly ConformanceCase[] = [
  onMachine("only the machine's own processes are seen", async (sandbox) => {
    const lines = (await outputOf(sandbox, "cat /proc/[0-9]*/comm", { user: "root" })).split("\n");
    expect(lines.length < 10, `${lines.length} processes are seen: ${lines.join(" ")}`);
    expect(
      !lines.some((line) => /node|bwrap/i.test(line)),
      `processes of the host are seen: ${lines.join(" ")}`,
    );
  }),
  onMachine("no environment of the host can be read", async (sandbox) => {
    for (const user of ["agent", "root"] as const) {
      const result = await shell(sandbox, "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'", { user });
      const names = text(result.stdout)
        .split("\n")
        .filter(Boolean)
        .map((line) => line.split("=")[0]);
      const usual = [
        "PATH",
        "HOME",
        "USER",
        "LANG",
        "TZ",
        "PWD",
        "_",
        "SHLVL",
        "OLDPWD",
        "LC_ALL",
        "container",
      ];
      expectEqual(
        names.filter((name) => !usual.includes(name ?? "")),
        [],
        "variables",
      );
    }
  }),
  onMachine("no folder of the host's people or of its data is there", async (sandbox) => {
    expectEqual(await outputOf(sandbox, "ls /home"), "agent", "/home");
    expectEqual(await outputOf(sandbox, "ls -A /root", { user: "root" }), "", "/root");
    expectEqual(
      await outputOf(sandbox, "ls -A /home/agent /home/agent/input /home/agent/output | grep -v :"),
      "input\noutput",
      "home",
    );
    const top = (await outputOf(sandbox, "ls /")).split("\n");
    const known =
      "ale bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var";
    expectEqual(
      top.filter((name) => !known.split(" ").includes(name)),
      [],
      "folders",
    );
    expectEqual(
      await outputOf(sandbox, "ls -A /mnt /media /srv /boot 2>/dev/null | grep -v ':$' || true"),
      "",
      "data",
    );
  }),
  onMachine(
    "a world-readable file of the host outside the system cannot be read",
    async (sandbox, { scratch }) => {
      const path = join(scratch, "public");
      await chmod(scratch, 0o755);
      await writeFile(path, "secret", { mode: 0o644 });
      for (const user of ["agent", "root"] as const) {
        await expectFailure(sandbox, `cat '${path}'`, { user });
        await expectFailure(sandbox, `cat /proc/1/root'${path}' || cat '/proc/1/cwd/../..${path}'`, { user });
      }
    },
  ),
  onMachine("the host's secrets are not there, whoever looks", async (sandbox) => {
    const script =
      "cat /etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/ssh_host_*_key /etc/ssl/private/* /etc/machine-id 2>/dev/null";
    const result = await shell(sandbox, script, { user: "root" });
    expectEqual(text(result.stdout), "", "secrets");
  }),
  onMachine("another machine's files and processes are not seen", async (sandbox, context) => {
    const other = await context.machine();
    await outputOf(other, "echo mine > /tmp/mine; sleep 3401 &");
    await until(context.clock, "the other runs", async () => (await countOf(other, "sleep 3401")) === 1);
    await expectFailure(sandbox, "cat /tmp/mine");
    expectEqual(
      await outputOf(sandbox, "cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c '[s]leep 3401' || true"),
      "0",
      "processes",
    );
    await outputOf(sandbox, "kill -9 -1 || true");
    expectEqual(await countOf(other, "sleep 3401"), 1, "the other's process");
  }),
  onMachine("kernel settings cannot be changed, not even by root", async (sandbox) => {
    for (const user of ["agent", "root"] as const) {
      await expectFailure(sandbox, "echo x > /proc/sys/kernel/core_pattern", { user });
      await expectFailure(sandbox, "echo b > /proc/sysrq-trigger", { user });
    }
  }),
  onMachine("devices are the harmless few", async (sandbox) => {
    const devices = await outputOf(sandbox, "find /dev -xdev ! -type d ! -type l -printf '%f\\n' | sort");
    const harmless = ["console", "full", "null", "ptmx", "random", "tty", "urandom", "zero"];
    expectEqual(
      devices.split("\n").filter((name) => !harmless.includes(name)),
      [],
      "devices",
    );
    await expectFailure(sandbox, "mknod /tmp/disk b 8 0 && head -c 1 /tmp/disk", { user: "root" });
  }),
  onMachine("a pseudo-terminal can be had", async (sandbox) => {
    expectEqual(
      await outputOf(sandbox, "script -qec 'test -t 1 && echo terminal' /dev/null < /dev/null"),
      "terminal",
      "tty",
    );
  }),
  onMachine("nothing can be mounted or unmounted, by agent or root", async (sandbox) => {
    for (const user of ["agent", "root"] as const) {
      await expectFailure(sandbox, "mount -t tmpfs none /mnt || mount --bind /tmp /usr || umount /proc", {
        user,
      });
    }
  }),
  onMachine("the machine is described, equally for equal machines", async (sandbox, context) => {
    const other = await context.machine();
    const described = JSON.stringify(await sandbox.fingerprint());
    expectEqual(JSON.stringify(await other.fingerprint()), described, "fingerprint");
    expect(described.includes("256") && described.length > 50, `the fingerprint is ${described}`);
  }),
];
