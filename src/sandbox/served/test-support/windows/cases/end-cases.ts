import { once } from "node:events";
import { type ConformanceCase, onMachine } from "../../../../conformance/conformance-case.ts";
import { expect, expectEqual, text, until } from "../../../../conformance/expectations.ts";
import type { SandboxProcess } from "../../../../sandbox.ts";
import { act, countOf, haveBegun, probe, told, treeOf } from "../probe.ts";

/** How commands are ended, and what they leave behind. */
export const windowsEndCases: readonly ConformanceCase[] = [
  onMachine("a command over its time is ended, with all it started", async (sandbox, { clock }) => {
    const running = act(sandbox, ["tree", "ale-over"], { timeoutMs: 10_000 });
    await until(clock, "the whole tree runs", () => haveBegun(sandbox, treeOf("ale-over")));
    expectEqual((await running).end, { kind: "timed-out", afterMs: 10_000 }, "end");
    await until(clock, "all of it ended", async () => (await countOf("ale-over")) === 0);
  }),
  onMachine("what a command wrote before its time was over is kept", async (sandbox) => {
    const result = await act(sandbox, ["sleep", "ale-kept"], { timeoutMs: 3000 });
    expectEqual([result.end.kind, text(result.stdout)], ["timed-out", "ready\n"], "result");
  }),
  onMachine("a program that ignores SIGTERM is ended by the time limit", async (sandbox) => {
    const child = await sandbox.spawn([probe, "deaf", "ale-deaf"]);
    const seen = collect(child);
    await once(child.stdout, "data");
    await child.stop(1500);
    expectEqual((await child.ended).end, { kind: "signalled", signal: "SIGKILL" }, "end");
    expectEqual(seen(), "ready\nno\n", "stdout");
  }),
  onMachine("stopping with grace lets a program end by itself", async (sandbox) => {
    const child = await sandbox.spawn([probe, "polite"]);
    const seen = collect(child);
    await once(child.stdout, "data");
    await child.stop(20_000);
    expectEqual((await child.ended).end, { kind: "exited", code: 5 }, "end");
    expectEqual(seen(), "ready\nbye\n", "stdout");
  }),
  onMachine("a command that ends in time is not said to have timed out", async (sandbox) => {
    expectEqual((await act(sandbox, ["exit", "3"])).end, { kind: "exited", code: 3 }, "end");
  }),
  onMachine("aborting ends the command", async (sandbox, { clock }) => {
    const abort = new AbortController();
    const running = act(sandbox, ["sleep", "ale-abort"], { signal: abort.signal });
    await until(clock, "the command begins", () => haveBegun(sandbox, ["ale-abort"]));
    abort.abort();
    expectEqual([(await running).end, await countOf("ale-abort")], [{ kind: "aborted" }, 0], "end");
  }),
  onMachine("a signal aborted beforehand lets nothing run", async (sandbox) => {
    const result = await act(sandbox, ["random", "trace", "1"], { signal: AbortSignal.abort() });
    expectEqual(result.end, { kind: "aborted" }, "end");
    expectEqual(await sandbox.stat("/home/agent/trace"), undefined, "a trace of it");
  }),
  onMachine("the machine survives a command that is killed", async (sandbox) => {
    await act(sandbox, ["sleep", "ale-killed"], { timeoutMs: 200 });
    expectEqual(await told(sandbox, ["say", "alive"]), "alive", "next command");
  }),
  onMachine("stopping a spawned program ends it and its children", async (sandbox, { clock }) => {
    const child = await sandbox.spawn([probe, "tree", "ale-stop"]);
    await until(clock, "the whole tree runs", () => haveBegun(sandbox, treeOf("ale-stop")));
    await child.stop();
    await child.stop();
    expectEqual((await child.ended).end.kind, "signalled", "end");
    await until(clock, "the children ended", async () => (await countOf("ale-stop")) === 0);
  }),
  onMachine("a command that leaves a process behind still ends at once", async (sandbox) => {
    const result = await act(sandbox, ["leave", "sleep", "ale-left"]);
    expectEqual(result.end, { kind: "exited", code: 0 }, "end");
    expect(text(result.stdout).includes("left\n"), text(result.stdout));
    expectEqual(await countOf("ale-left"), 1, "processes left");
  }),
  onMachine("many commands that leave something behind at once keep their own output", async (sandbox) => {
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let round = 0; round < 5; round++) {
        // What is left ends at about the time when its command's end is told, and says nothing itself.
        const seen = await told(sandbox, ["leave", "exit", `${lane}`]);
        expectEqual(seen, "left\n", "output");
      }
    });
    await Promise.all(lanes);
  }),
  onMachine("a process left behind lives on and serves later commands", async (sandbox, { clock }) => {
    await told(sandbox, ["leave", "answer", "port"]);
    await until(clock, "it listens", async () => (await sandbox.stat("/home/agent/port")) !== undefined);
    expectEqual(await told(sandbox, ["ask", "port", "hi"]), "got hi\n", "answer");
  }),
  onMachine("a process left behind may go on writing without being broken", async (sandbox, { clock }) => {
    await act(sandbox, ["leave", "noise", "stop", "finished"]);
    await sandbox.writeFile("/home/agent/stop", "");
    await until(clock, "the writer ends by itself", async () => {
      return (await sandbox.stat("/home/agent/finished")) !== undefined;
    });
  }),
  onMachine("disposing ends commands that run", async (sandbox, { clock }) => {
    const running = await sandbox.spawn([probe, "sleep", "ale-dispose"]);
    await until(clock, "it runs", () => haveBegun(sandbox, ["ale-dispose"]));
    await sandbox[Symbol.asyncDispose]();
    expectEqual((await running.ended).end.kind, "signalled", "end");
    await until(clock, "it has ended", async () => (await countOf("ale-dispose")) === 0);
  }),
];

/** What a spawned program has written so far. */
function collect(child: SandboxProcess): () => string {
  let seen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
  });
  return () => seen;
}
