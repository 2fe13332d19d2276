import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { AttachedSsh } from "../../../src/sandbox/attached/attached-machine.ts";
import { freePort, type NamespaceMachine, startNamespaceMachine } from "./namespace-machine.ts";

export interface SshTestMachine extends AsyncDisposable {
  readonly machine: AttachedSsh;
  readonly namespace: NamespaceMachine;
}

/** A machine of namespaces with an sshd of its own, on a free port of this host's loopback. */
export async function startSshMachine(name: string): Promise<SshTestMachine> {
  const keys = await mkdtemp(join(tmpdir(), "ale-keys-"));
  try {
    const key = (file: string): void => {
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", join(keys, file)]);
    };
    key("host");
    key("user");
    const port = await freePort();
    const read = (file: string): Promise<string> => readFile(join(keys, file), "utf8");
    const config = [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      "HostKey /ale-machine/host",
      "AuthorizedKeysFile /ale-machine/authorized",
      "PermitRootLogin prohibit-password",
      "PasswordAuthentication no",
      "AllowTcpForwarding no",
      "UsePAM no",
      "PidFile none",
      "StrictModes no",
      "MaxStartups 100",
      "",
    ].join("\n");
    const files = { config, host: await read("host"), authorized: await read("user.pub") };
    const namespace = await startNamespaceMachine(files, [
      "/usr/sbin/sshd",
      "-D",
      "-f",
      "/ale-machine/config",
    ]);
    await untilListening(port);
    const [, hostKey = ""] = execFileSync("ssh-keygen", ["-l", "-f", join(keys, "host.pub")])
      .toString()
      .split(" ");
    const privateKey = await read("user");
    const machine: AttachedSsh = {
      kind: "ssh",
      name,
      address: "127.0.0.1",
      port,
      user: "root",
      privateKey,
      hostKey,
    };
    return { machine, namespace, [Symbol.asyncDispose]: () => namespace[Symbol.asyncDispose]() };
  } finally {
    await rm(keys, { recursive: true, force: true });
  }
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    await wait(50);
  }
  throw new Error(`no sshd listens on port ${port}`);
}
