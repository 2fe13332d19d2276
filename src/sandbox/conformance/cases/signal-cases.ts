import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, outputOf, shell, text, until } from "../expectations.ts";

export const signalCases: readonly ConformanceCase[] = [
  onMachine("a program ended by a signal is said to be, with the signal's name", async (sandbox) => {
    for (const signal of ["TERM", "KILL", "SEGV", "INT", "HUP", "ABRT"]) {
      const { end } = await shell(sandbox, `kill -${signal} $$`);
      expectEqual(end, { kind: "signalled", signal: `SIG${signal}` }, "end");
    }
  }),
  onMachine("a command over its time is ended, with all it started", async (sandbox, { clock }) => {
    const script =
      "sleep 3001 & setsid sleep 3002 & (setsid sh -c 'sleep 3003 & exec sleep 3004' &) ; sleep 3005";
    const result = await shell(sandbox, script, { timeoutMs: 400 });
    expectEqual(result.end, { kind: "timed-out", afterMs: 400 }, "end");
    expect(result.wallMs < 30_000, `it took ${result.wallMs} ms`);
    await until(clock, "every sleep ended", async () => (await countOf(sandbox, "sleep 300")) === 0);
  }),
  onMachine("what a command wrote before its time was over is kept", async (sandbox) => {
    const result = await shell(sandbox, "echo before; exec sleep 100", { timeoutMs: 500 });
    expectEqual(text(result.stdout), "before\n", "stdout");
  }),
  onMachine("a program that ignores SIGTERM is ended by the time limit", async (sandbox) => {
    const result = await shell(sandbox, "trap '' TERM INT HUP; while :; do sleep 1; done", {
      timeoutMs: 400,
    });
    expectEqual(result.end.kind, "timed-out", "end");
  }),
  onMachine("a command that ends in time is not said to have timed out", async (sandbox) => {
    expectEqual(
      (await shell(sandbox, "exit 3", { timeoutMs: 60_000 })).end,
      { kind: "exited", code: 3 },
      "end",
    );
  }),
  onMachine("aborting ends the command", async (sandbox, { clock }) => {
    const abort = new AbortController();
    const running = shell(sandbox, "touch /tmp/begun; exec sleep 3010", { signal: abort.signal });
    await until(clock, "the command begins", async () => (await sandbox.stat("/tmp/begun")) !== undefined);
    abort.abort();
    expectEqual((await running).end, { kind: "aborted" }, "end");
    expectEqual(await countOf(sandbox, "sleep 3010"), 0, "processes left");
  }),
  onMachine("a signal aborted beforehand lets nothing run", async (sandbox) => {
    const result = await shell(sandbox, "touch /tmp/ran; sleep 100", { signal: AbortSignal.abort() });
    expectEqual(result.end, { kind: "aborted" }, "end");
    expectEqual(await sandbox.stat("/tmp/ran"), undefined, "a trace of it");
  }),
  onMachine("the machine survives a command that is killed", async (sandbox) => {
    await shell(sandbox, "exec sleep 100", { timeoutMs: 200 });
    expectEqual(await outputOf(sandbox, "echo alive"), "alive", "next command");
  }),
  onMachine("an agent that signals every process it can leaves the machine running", async (sandbox) => {
    await shell(sandbox, "kill -9 -1; kill -9 1; kill -TERM 1");
    expectEqual(await outputOf(sandbox, "echo alive"), "alive", "next command");
  }),
];

/** Processes whose command line begins so. */
export async function countOf(sandbox: Parameters<typeof outputOf>[0], commandLine: string): Promise<number> {
  const script = `for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < "$file"; echo; done 2>/dev/null`;
  const lines = (await outputOf(sandbox, script, { user: "root" })).split("\n");
  return lines.filter((line) => line.startsWith(commandLine)).length;
}
