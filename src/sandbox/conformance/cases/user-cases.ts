import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, expectFailure, outputOf } from "../expectations.ts";

export const userCases: readonly ConformanceCase[] = [
  onMachine("commands run as the unprivileged user agent, number 1000", async (sandbox) => {
    expectEqual(await outputOf(sandbox, "id -u; id -un; id -g"), "1000\nagent\n1000", "id");
  }),
  onMachine("trusted commands run as root", async (sandbox) => {
    expectEqual(await outputOf(sandbox, "id -u", { user: "root" }), "0", "id");
  }),
  onMachine("the environment is the small fixed one", async (sandbox) => {
    const names = (await outputOf(sandbox, "env | cut -d= -f1 | grep -v '^_$' | sort")).split("\n");
    expectEqual(names, ["HOME", "LANG", "PATH", "PWD", "TZ", "USER"], "variables");
  }),
  onMachine("the agent holds no capability and can gain none", async (sandbox) => {
    const status = await outputOf(sandbox, "grep -E '^(CapPrm|CapEff|CapAmb|NoNewPrivs)' /proc/self/status");
    const values = status.split("\n").map((line) => line.split(/\s+/)[1]);
    expectEqual(values, ["0000000000000000", "0000000000000000", "0000000000000000", "1"], "capabilities");
  }),
  onMachine("the agent cannot write where the system is", async (sandbox) => {
    for (const path of ["/usr/bin/x", "/etc/x", "/bin/x", "/x", "/usr/x", "/run/ale/x"]) {
      await expectFailure(sandbox, `echo > ${path}`);
    }
    await expectFailure(sandbox, "mv /bin /bin2 || mv /usr/bin /usr/bin2 || ln -sfn /tmp /lib");
  }),
  onMachine("the agent cannot become root with the programs of the machine", async (sandbox) => {
    await expectFailure(sandbox, "su -c true root </dev/null || sudo -n true || setpriv --reuid 0 true");
  }),
  onMachine("the agent cannot read or change what belongs to root", async (sandbox) => {
    await sandbox.writeFile("/run/ale/secret", "x", { owner: "root", mode: 0o600 });
    await expectFailure(sandbox, "cat /run/ale/secret");
    await expectFailure(sandbox, "rm -f /run/ale/secret");
  }),
  onMachine("the agent can write in its home, its output and the temporary folders", async (sandbox) => {
    for (const path of ["/home/agent/x", "/home/agent/output/x", "/tmp/x", "/var/tmp/x", "/dev/shm/x"]) {
      await outputOf(sandbox, `echo > ${path}`);
    }
  }),
  onMachine("root can write anywhere on the machine, and the agent sees it", async (sandbox) => {
    await outputOf(
      sandbox,
      "mkdir -p /usr/local/share/a && echo tool > /usr/local/share/a/b && echo x > /etc/new",
      {
        user: "root",
      },
    );
    expectEqual(await outputOf(sandbox, "cat /usr/local/share/a/b"), "tool", "file");
  }),
  onMachine("root can hand a file to the agent", async (sandbox) => {
    await outputOf(sandbox, "echo x > /home/agent/given && chown 1000:1000 /home/agent/given", {
      user: "root",
    });
    await outputOf(sandbox, "echo y >> /home/agent/given");
  }),
  onMachine("the machine's host name is not the host's", async (sandbox) => {
    expectEqual(await outputOf(sandbox, "uname -n"), "ale", "name");
  }),
  onMachine("only the machine's own accounts are listed", async (sandbox) => {
    const people = await outputOf(sandbox, "awk -F: '$3 >= 1000 && $3 != 65534 { print $1 }' /etc/passwd");
    expectEqual(people, "agent", "people in /etc/passwd");
  }),
  onMachine("programs of the system can be used", async (sandbox) => {
    expect((await outputOf(sandbox, "ls /usr/bin | wc -l")) !== "0", "/usr/bin is empty");
    await outputOf(
      sandbox,
      "echo b a | tr ' ' '\\n' | sort | tar -cf /tmp/x.tar -C /tmp --files-from=/dev/null",
    );
  }),
];
