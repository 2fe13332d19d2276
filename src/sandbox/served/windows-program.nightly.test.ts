import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { until } from "../conformance/expectations.ts";
import { runCase } from "../conformance/run-conformance.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import { buildWindowsProgram } from "../vm/windows/build-windows-program.ts";
import { MachineClient } from "./machine-client.ts";
import { ServedCommands } from "./served-commands.ts";
import { ServedFiles } from "./served-files.ts";
import { buildProbe, go, goEnvironment } from "./test-support/windows/build-probe.ts";
import { act, countOf, probe, told } from "./test-support/windows/probe.ts";
import { windowsCases } from "./test-support/windows/windows-cases.ts";
import { WindowsMachine } from "./test-support/windows/windows-machine.ts";
import { WindowsProvider } from "./test-support/windows/windows-provider.ts";
import { windowsSkips } from "./test-support/windows/windows-skips.ts";
import { WinePrefixes, wine } from "./test-support/windows/wine-prefixes.ts";
import { WineProgram } from "./test-support/windows/wine-program.ts";

const run = promisify(execFile);
const sources = fileURLToPath(new URL("../../../data/machine/windows/", import.meta.url));

describe.skipIf(!existsSync(wine) || !existsSync(go))("the program that serves Windows machines", () => {
  const held = new AsyncDisposableStack();
  // What the compiler keeps is of use for all that is compiled.
  let compiled: string;
  let folder: string;
  let program: string;
  let prefixes: WinePrefixes;
  let target: ConformanceTarget;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ale-windows-"));
    held.defer(() => rm(folder, { recursive: true, force: true }));
    program = (await buildWindowsProgram({ cacheDir: join(folder, "cache") })).path;
    compiled = join(folder, "cache", "vm", "windows-program");
    prefixes = held.use(new WinePrefixes(folder, await buildProbe(compiled)));
    const scratch = join(folder, "scratch");
    await mkdir(scratch);
    target = { provider: new WindowsProvider(prefixes, program), clock: hostClock, scratch };
  });
  afterAll(() => held.disposeAsync());

  sandboxConformance("as any machine's", () => target, { skips: windowsSkips(windowsCases) });

  describe("in words of Windows'", () => {
    for (const { name, run: ask } of windowsCases) test(name, () => runCase(target, ask));
  });

  test("gives programs the words they were to be given, whatever is in them", async () => {
    const nasty = fc.string({ unit: fc.constantFrom(..."ab \t\\\"'%^&|<>()!ü😀é本\n\r\v") });
    const any = fc.string({ unit: "binary" }).filter((text) => !text.includes("\0"));
    const lists = fc.sample(fc.array(fc.oneof(nasty, any), { minLength: 20, maxLength: 60 }), {
      numRuns: 20,
      seed: 1,
    });
    await runCase(target, async ({ machine }) => {
      const sandbox = await machine();
      for (const words of lists) expect(JSON.parse(await told(sandbox, ["argv", ...words]))).toEqual(words);
    });
  });

  test("is the same program whoever compiles it", async () => {
    const again = await buildWindowsProgram({ cacheDir: join(folder, "again") });
    const first = await buildWindowsProgram({ cacheDir: join(folder, "cache") });
    expect(again.digest).toBe(first.digest);
  });

  test("says what system it serves, and why it fails", async () => {
    const prefix = await prefixes.take();
    try {
      await using machine = await WindowsMachine.start(prefix, program);
      expect(await machine.client.request({ op: "describe" })).toMatchObject({
        os: expect.stringMatching(/Windows/),
        kernel: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        arch: "x86_64",
      });
      await expect(machine.client.request({ op: "dance" })).rejects.toMatchObject({
        code: "sandbox-gone",
        message: expect.stringMatching(
          /the program on the machine failed: there is no operation "dance" \(.+, line \d+\)/,
        ),
      });
    } finally {
      prefixes.release(prefix);
    }
  });

  test("is held by one owner at a time, and serves nobody whose machine was given away", async () => {
    const prefix = await prefixes.take();
    try {
      await using first = await WindowsMachine.start(prefix, program);
      await using second = await WindowsMachine.start(prefix, program);
      const lease = { op: "lease", seconds: 600, holder: { host: "here" } };
      await first.client.request({ ...lease, id: "one" });
      expect(await second.client.request({ ...lease, id: "two" })).toMatchObject({ heldBy: { id: "one" } });
      await second.client.request({ ...lease, id: "two", force: true });
      await expect(first.client.request({ op: "stat", path: "/ale" })).rejects.toMatchObject({
        code: "sandbox-gone",
      });
      expect(await second.client.request({ op: "stat", path: "/ale" })).toMatchObject({ type: "folder" });
      expect(await second.client.request({ ...lease, id: "two", seconds: -1 })).toMatchObject({
        released: true,
      });
    } finally {
      prefixes.release(prefix);
    }
  });

  test("serves one host after the other over a device, and ends what the last one ran", async () => {
    const prefix = await prefixes.take();
    const name = "\\\\.\\pipe\\ale.serve";
    await using served = WineProgram.start(prefix, program, ["--same-user", "--device", name]);
    try {
      for (const word of ["ale-first", "ale-second"]) {
        await using relay = WineProgram.start(prefix, join(prefix.drive, "ale", "bin", "probe.exe"), [
          "relay",
          name,
        ]);
        const client = await MachineClient.open(relay.stream);
        await until(
          hostClock,
          "what the last host ran has ended",
          async () => (await countOf("ale-first")) === 0,
        );
        const request = { op: "run", argv: [probe, "sleep", word], user: "agent", cwd: "/ale", env: {} };
        const channel = client.channel({ ...request, network: "sandbox", stdin: false });
        const [said] = (await once(channel.stdout, "data")) as [Buffer];
        expect(said.toString()).toBe("ready\n");
        expect(await countOf(word)).toBe(1);
        // The host goes in the middle of a frame.
        relay.stream.write(Buffer.from([0, 0, 1]));
        client.close();
      }
    } finally {
      await served[Symbol.asyncDispose]();
      prefixes.release(prefix);
    }
  });

  test("runs commands as the agent who is logged on at the console, and ends what of his is in no job", async () => {
    const prefix = await prefixes.take();
    const passwd = join(folder, "passwd");
    await writeFile(passwd, "agent:x:0:0::/root:/bin/sh\n");
    const inside = join(prefix.drive, "ale", "bin", "probe.exe");
    await using served = WineProgram.start(prefix, program, [], passwd);
    const client = await MachineClient.open(served.stream);
    const limits = { cpus: 1, memoryMb: 256, maxProcesses: 128, ownNetwork: true };
    await client.request({ op: "prepare", clean: false, ...limits });
    const parts = { client: async () => client, clock: hostClock, env: {} };
    const result = await new ServedCommands(parts).exec([probe, "say", "here"], { timeoutMs: 60_000 });
    expect([result.end, Buffer.from(result.stdout).toString()]).toEqual([
      { kind: "exited", code: 0 },
      "here",
    ]);
    const files = new ServedFiles(parts.client);
    await files.write("/home/agent/note", "x", 0o644, "agent");
    expect((await files.stat("/home/agent/note"))?.owner).toBe("agent");
    expect(Buffer.from(await files.read("/home/agent/note", 10)).toString()).toBe("x");
    expect(await files.list("/home/agent")).toContain("note");
    await using stray = WineProgram.start(prefix, inside, ["sleep"], passwd);
    await once(stray.stream, "data");
    const { ended } = await client.request({ op: "quiesce" });
    expect(ended).toContain("probe.exe");
    await stray.ended();
    // Whatever starts of the agent's from now on, such as what it left with the task scheduler, is ended as well.
    await using late = WineProgram.start(prefix, inside, ["sleep"], passwd);
    await late.ended();
    expect(await client.request({ op: "quiesce" })).toMatchObject({ ended: [] });
    client.close();
    // Nobody else is given it: what Wine itself runs as the one account there is stays suspended.
    await served.ended();
  });

  test("says that nobody is there to run commands as, when another is logged on at the console", async () => {
    const prefix = await prefixes.take();
    await using served = WineProgram.start(prefix, program, []);
    const client = await MachineClient.open(served.stream);
    // What is in the agent's home is touched with his rights, of whom nobody is there.
    const files = new ServedFiles(async () => client);
    for (const act of [
      () => files.write("/home/agent/note", "x", 0o644, "agent"),
      () => files.read("/home/agent/note", 10),
      () => files.list("/home/agent"),
      () => files.stat("/home/agent/note"),
    ]) {
      await expect(act()).rejects.toThrow(/the console is .+'s, not agent's/);
    }
    const request = {
      op: "run",
      argv: [probe, "say", ""],
      user: "agent",
      cwd: "/ale",
      env: {},
      stdin: false,
    };
    const told = await client.channel({ ...request, network: "sandbox" }).answer;
    expect(told).toMatchObject({ failed: expect.stringMatching(/^the console is .+'s, not agent's$/) });
    client.close();
    await served.ended();
    prefixes.release(prefix);
  });

  test("does in Wine what no request reaches", async () => {
    const prefix = await prefixes.take();
    const env = goEnvironment(compiled);
    const unit = join(folder, "unit.exe");
    await run(go, ["test", "-c", "-o", unit, "."], { cwd: sources, env });
    await run(wine, [unit, "-test.v"], { env: prefix.env });
    prefixes.release(prefix);
  });

  test("cleans a machine for the next lease, whatever the last one left", async () => {
    await runCase(target, async ({ machine }) => {
      const sandbox = await machine();
      await act(sandbox, ["leave", "noise", "never", "never"]);
      for (const path of ["/home/agent/.hidden/x", "/home/agent/output/o", "/tmp/t"])
        await sandbox.writeFile(path, "x");
      await sandbox[Symbol.asyncDispose]();
      const next = await machine();
      expect(await next.list("/home/agent")).toEqual(["input", "output"]);
      expect(await next.list("/home/agent/output")).toEqual([]);
      expect(await next.list("/tmp")).toEqual([]);
    });
  });

  test("is written as gofmt writes it, and go vet finds nothing in it or in the probe", async () => {
    const env = goEnvironment(compiled);
    const probeSources = fileURLToPath(new URL("test-support/windows/probe/", import.meta.url));
    for (const cwd of [sources, probeSources]) {
      expect((await run(go.replace(/go$/, "gofmt"), ["-l", "."], { cwd, env })).stdout).toBe("");
      await run(go, ["vet", "."], { cwd, env });
    }
  });
});
