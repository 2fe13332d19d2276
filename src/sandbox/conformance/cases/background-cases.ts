import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, outputOf, shell, text, until } from "../expectations.ts";
import { countOf } from "./signal-cases.ts";

export const backgroundCases: readonly ConformanceCase[] = [
  onMachine("a command that leaves a process behind still ends at once", async (sandbox) => {
    const result = await shell(sandbox, "sleep 3201 & echo done", { timeoutMs: 30_000 });
    expectEqual([result.end, text(result.stdout)], [{ kind: "exited", code: 0 }, "done\n"], "result");
    expect(result.wallMs < 20_000, `it took ${result.wallMs} ms`);
  }),
  onMachine("many commands that leave something behind at once keep their own output", async (sandbox) => {
    const lanes = Array.from({ length: 6 }, async (_, lane) => {
      for (let round = 0; round < 20; round++) {
        // What is left ends at about the time when its command's end is told: before it, with it, after it.
        const script = `(sleep 0.00${round % 10} &); sleep 0.0${lane} & echo ${lane}-${round}`;
        expectEqual(await outputOf(sandbox, script), `${lane}-${round}`, "output");
      }
    });
    await Promise.all(lanes);
  }),
  onMachine("a process left behind lives on and serves later commands", async (sandbox, { clock }) => {
    await outputOf(sandbox, "mkfifo ask answer; (while read word < ask; do echo got $word > answer; done) &");
    await until(clock, "an answer", async () => {
      return (await outputOf(sandbox, "echo hi > ask; cat answer")) === "got hi";
    });
  }),
  onMachine("a process left behind may go on writing without being broken", async (sandbox, { clock }) => {
    await outputOf(
      sandbox,
      "(while [ ! -e stop ]; do echo noise || exit; done; touch finished) & echo begun",
    );
    await outputOf(sandbox, "touch stop");
    await until(clock, "the writer ends by itself", async () => {
      return (await sandbox.stat("/home/agent/finished")) !== undefined;
    });
  }),
  onMachine("a daemon of a double fork lives on", async (sandbox, { clock }) => {
    await outputOf(sandbox, "(setsid sh -c 'sleep 3202 & ' &)");
    await until(clock, "the daemon runs", async () => (await countOf(sandbox, "sleep 3202")) === 1);
  }),
  onMachine("orphans are collected when they end", async (sandbox, { clock }) => {
    await outputOf(sandbox, "for n in 1 2 3 4 5; do (sh -c 'exit 0' & ) ; done");
    await until(clock, "no zombie is left", async () => {
      return (await outputOf(sandbox, "cat /proc/[0-9]*/stat 2>/dev/null | grep -c ') Z ' || true")) === "0";
    });
  }),
];
