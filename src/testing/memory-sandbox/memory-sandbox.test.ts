import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFixedClock } from "../fixed-clock.ts";
import { testMachine } from "../test-machine.ts";
import { hangProgram } from "./memory-program.ts";
import { MemorySandboxProvider } from "./memory-sandbox-provider.ts";

const spec = testMachine();

describe("a memory sandbox", () => {
  test("runs registered programs, refuses all others, and records every call", async () => {
    const provider = new MemorySandboxProvider({
      clock: createFixedClock(),
      programs: { greet: ({ argv }) => ({ exit: 4, stdout: `hello ${argv[1]}` }) },
    });
    await using sandbox = await provider.create(spec);
    const result = await sandbox.exec(["greet", "you"]);
    expect([result.end, String(result.stdout)]).toEqual([{ kind: "exited", code: 4 }, "hello you"]);
    expect((await sandbox.exec(["rm", "-rf"])).end.kind).toBe("not-started");
    expect(provider.calls.map(({ method, detail }) => `${method} ${detail}`.trim())).toEqual([
      "create",
      "exec greet you",
      "exec rm -rf",
    ]);
  });

  test("ends a program at its time limit, by its signal, and at quiesce, but not root's", async () => {
    const clock = createFixedClock();
    const provider = new MemorySandboxProvider({ clock, programs: { hang: hangProgram, ls: () => ({}) } });
    await using sandbox = await provider.create(spec);
    const timed = sandbox.exec(["hang"], { timeoutMs: 1000 });
    await clock.untilSleeping(1);
    await clock.advance(1000);
    expect((await timed).end).toEqual({ kind: "timed-out", afterMs: 1000 });
    expect((await sandbox.exec(["hang"], { signal: AbortSignal.abort() })).end.kind).toBe("aborted");
    const left = sandbox.exec(["hang"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await sandbox.quiesce()).toEqual({ ended: ["hang"] });
    expect((await left).end).toEqual({ kind: "signalled", signal: "SIGKILL" });
    expect((await sandbox.exec(["ls"])).end.kind).toBe("not-started");
    expect((await sandbox.exec(["ls"], { user: "root" })).end.kind).toBe("exited");
  });

  test("keeps files, copies them in and out, and tells what changed", async () => {
    const dir = await mkdtemp(join(tmpdir(), "ale-memory-"));
    try {
      await writeFile(join(dir, "in.txt"), "in");
      const provider = new MemorySandboxProvider({ clock: createFixedClock() });
      await using sandbox = await provider.create(spec);
      await sandbox.upload(dir, "/home/agent/input", { owner: "root", readOnly: true });
      expect(await sandbox.stat("/home/agent/input/in.txt")).toMatchObject({
        owner: "root",
        mode: 0o444,
        bytes: 2,
      });
      await sandbox.markBaseline();
      await sandbox.writeFile("/home/agent/output/deep/out.txt", "out");
      await sandbox.remove("/home/agent/input/in.txt");
      expect(await sandbox.changes()).toEqual([
        { path: "/home/agent/input/in.txt", change: "deleted" },
        { path: "/home/agent/output/deep", change: "created-or-changed" },
        { path: "/home/agent/output/deep/out.txt", change: "created-or-changed" },
      ]);
      sandbox.files.link("/home/agent/output/link", "/etc");
      const limits = { maxBytes: 100, maxFiles: 10, maxDepth: 5 };
      const report = await sandbox.download("/home/agent/output", join(dir, "taken"), limits);
      expect(report.files.map(({ state, path }) => [state, path])).toEqual([
        ["taken", "deep/out.txt"],
        ["refused", "link"],
      ]);
      expect(await readFile(join(dir, "taken", "deep", "out.txt"), "utf8")).toBe("out");
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  test("hands a spawned program what was written to it, and hands out what it wrote", async () => {
    const provider = new MemorySandboxProvider({
      clock: createFixedClock(),
      programs: { cat: ({ options }) => ({ stdout: String(options.stdin) }) },
    });
    await using sandbox = await provider.create(spec);
    const running = await sandbox.spawn(["cat"]);
    running.stdin.end("through");
    expect(Buffer.concat(await Array.fromAsync(running.stdout)).toString()).toBe("through");
    expect((await running.ended).end).toEqual({ kind: "exited", code: 0 });
  });

  test("fails as it is told to: at the n-th call, of a role, by loss, error or hanging", async () => {
    const hung = Promise.withResolvers<void>();
    const provider = new MemorySandboxProvider({
      clock: createFixedClock(),
      programs: { ls: () => ({}) },
      faults: [
        { at: "stat", nth: 2, kind: "gone" },
        { at: "list", role: "verifier", kind: "throw" },
        { at: "exec", kind: "hang", onHang: hung.resolve },
      ],
    });
    await using sandbox = await provider.create(spec);
    await sandbox.stat("/");
    await expect(sandbox.stat("/")).rejects.toMatchObject({ code: "sandbox-gone" });
    expect(await sandbox.list("/home")).toEqual(["agent"]);
    const stop = new AbortController();
    const hanging = sandbox.exec(["ls"], { signal: stop.signal });
    await hung.promise;
    stop.abort(new RangeError("stopped"));
    await expect(hanging).rejects.toThrow("stopped");
  });
});
