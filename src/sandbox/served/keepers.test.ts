import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { identifyProcess } from "../process-identity.ts";
import { MachineClient } from "./machine-client.ts";
import { serverProgram } from "./server-program.ts";

/** The program gives up groups and rights, which only root can. */
describe.skipIf(process.getuid?.() !== 0)("the keepers of commands", () => {
  let folder: string;
  let client: MachineClient;
  let endServer: () => void;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "ale-keepers-"));
    const server = spawn("python3", ["-c", await serverProgram()], { stdio: ["pipe", "pipe", "ignore"] });
    endServer = () => server.kill("SIGKILL");
    client = await MachineClient.open(Duplex.from({ readable: server.stdout, writable: server.stdin }));
  });

  afterEach(async () => {
    client.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (script: string, env: Readonly<Record<string, string>> = {}) =>
    client.channel({
      ...{ op: "run", argv: ["sh", "-c", script], user: "root", cwd: folder, network: "host", stdin: false },
      env: { PATH: "/usr/bin:/bin", ...env },
    });

  const printed = async (script: string, env?: Readonly<Record<string, string>>): Promise<string> => {
    const channel = start(script, env);
    channel.stderr.resume();
    const said = await text(channel.stdout);
    expect(await channel.answer).toEqual({ ok: true, exit: 0 });
    return said.trim();
  };

  test("run one command after the other, and none while something of the last is left", async () => {
    const first = await printed("echo $PPID");
    expect(await printed("sleep 1000 > /dev/null 2>&1 & echo $PPID; echo $! > left")).toBe(first);
    const other = await printed("echo $PPID");
    expect(other).not.toBe(first);
    await printed("kill $(cat left)");
  });

  test("run commands at the same time, each by one of its own", async () => {
    execFileSync("mkfifo", [join(folder, "meeting")]);
    const [one, two] = await Promise.all([
      printed("echo $PPID; echo hello > meeting"),
      printed("echo $PPID; read word < meeting"),
    ]);
    expect(one).not.toBe(two);
  });

  test("give a command its streams and no other handle, and an environment of any size", async () => {
    expect(await printed("cd /proc/self/fd && echo *")).toMatch(/^0 1 2( \d+)?$/);
    const large = "x".repeat(100_000);
    expect(await printed("echo $A$B$C | wc -c", { A: large, B: large, C: large })).toBe("300001");
  });

  test("are replaced when they were killed while they waited", async () => {
    const keeper = await printed("echo $PPID");
    process.kill(Number(keeper), "SIGKILL");
    while (identifyProcess(Number(keeper)) !== undefined) await setImmediate();
    expect(await printed("echo $PPID")).not.toBe(keeper);
  });

  test("tell of a program that is not there, and run the next", async () => {
    const keeper = await printed("echo $PPID");
    const channel = client.channel({
      ...{ op: "run", argv: ["no-such-program"], user: "root", cwd: "/", network: "host", stdin: false },
      env: { PATH: "/usr/bin:/bin" },
    });
    for (const stream of [channel.stdout, channel.stderr]) stream.resume();
    expect(await channel.answer).toEqual({ ok: true, failed: "there is no program no-such-program" });
    expect(await printed("echo $PPID")).toBe(keeper);
  });

  test("outlive a command that a real-time signal ended", async () => {
    const keeper = await printed("echo $PPID");
    const channel = start("kill -35 $$");
    for (const stream of [channel.stdout, channel.stderr]) stream.resume();
    expect(await channel.answer).toEqual({ ok: true, signal: "SIGRTMIN+1" });
    expect(await printed("echo $PPID")).toBe(keeper);
  });

  test("tell of a name that no system can hold that it was not started", async () => {
    const channel = client.channel({
      ...{ op: "run", argv: ["half\ud800"], user: "root", cwd: "/", network: "host", stdin: false },
      env: { PATH: "/usr/bin:/bin" },
    });
    for (const stream of [channel.stdout, channel.stderr]) stream.resume();
    expect(await channel.answer).toMatchObject({ ok: true, failed: expect.any(String) as string });
  });

  test("end the command in hand when the server is gone, and not what an earlier one left behind", async () => {
    for (const name of ["left", "running"]) execFileSync("mkfifo", [join(folder, name)]);
    // Each is open for as long as who writes to it lives.
    const left = createReadStream(join(folder, "left")).resume();
    const running = createReadStream(join(folder, "running"));
    const pid = Number(await printed("sleep 1000 > left 2>&1 & echo $!"));
    start("exec > running; echo begun; exec sleep 1000").stdout.resume();
    await once(running, "data");
    endServer();
    await once(running.resume(), "end");
    expect(left.readableEnded).toBe(false);
    process.kill(pid, "SIGKILL");
    await once(left, "end");
  });
});
