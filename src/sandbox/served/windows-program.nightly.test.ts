import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { runCase } from "../conformance/run-conformance.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import { buildWindowsProgram } from "../vm/windows/build-windows-program.ts";
import { buildProbe, go, goEnvironment } from "./windows-test-support/build-probe.ts";
import { act, told } from "./windows-test-support/probe.ts";
import { windowsCases } from "./windows-test-support/windows-cases.ts";
import { WindowsMachine } from "./windows-test-support/windows-machine.ts";
import { WindowsProvider } from "./windows-test-support/windows-provider.ts";
import { windowsSkips } from "./windows-test-support/windows-skips.ts";
import { WinePrefixes, wine } from "./windows-test-support/wine-prefixes.ts";

const run = promisify(execFile);
const sources = fileURLToPath(new URL("../../../data/machine/windows/", import.meta.url));

describe.skipIf(!existsSync(wine) || !existsSync(go))("the program that serves Windows machines", () => {
  const held = new AsyncDisposableStack();
  let folder: string;
  let program: string;
  let prefixes: WinePrefixes;
  let target: ConformanceTarget;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ale-windows-"));
    held.defer(() => rm(folder, { recursive: true, force: true }));
    program = (await buildWindowsProgram({ cacheDir: join(folder, "cache") })).path;
    prefixes = held.use(new WinePrefixes(folder, await buildProbe(folder)));
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
      await expect(first.client.request({ op: "stat", path: "/tmp" })).rejects.toMatchObject({
        code: "sandbox-gone",
      });
      expect(await second.client.request({ op: "stat", path: "/tmp" })).toMatchObject({ type: "folder" });
      expect(await second.client.request({ ...lease, id: "two", seconds: -1 })).toMatchObject({
        released: true,
      });
    } finally {
      prefixes.release(prefix);
    }
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
    const env = goEnvironment(join(folder, "cache", "vm", "windows-program"));
    const probe = fileURLToPath(new URL("windows-test-support/probe/", import.meta.url));
    for (const cwd of [sources, probe]) {
      expect((await run(go.replace(/go$/, "gofmt"), ["-l", "."], { cwd, env })).stdout).toBe("");
      await run(go, ["vet", "."], { cwd, env });
    }
  });
});
