import { join } from "node:path";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, expectRejection, outputOf, shell, text, until } from "../expectations.ts";
import { countOf } from "./signal-cases.ts";

export const quiesceCases: readonly ConformanceCase[] = [
  onMachine("quiescing ends and names every process the agent left", async (sandbox, { clock }) => {
    await outputOf(
      sandbox,
      "sleep 3501 & (setsid sh -c 'tail -f /dev/null & ' &) ; nohup sleep 3502 >/dev/null 2>&1 &",
    );
    await until(clock, "the last one runs", async () => (await countOf(sandbox, "tail -f")) === 1);
    const { ended } = await sandbox.quiesce();
    expectEqual(
      [...ended].filter((name) => name === "sleep" || name === "tail").sort(),
      ["sleep", "sleep", "tail"],
      "names",
    );
    expectEqual(await countOf(sandbox, "sleep 350"), 0, "processes left");
    expectEqual(await countOf(sandbox, "tail"), 0, "processes left");
  }),
  onMachine("quiescing twice is quiescing once", async (sandbox) => {
    await outputOf(sandbox, "sleep 3503 &");
    expectEqual(await sandbox.quiesce(), await sandbox.quiesce(), "reports");
  }),
  onMachine("quiescing a machine at rest ends nothing", async (sandbox) => {
    await outputOf(sandbox, "true");
    expectEqual(await sandbox.quiesce(), { ended: [] }, "report");
  }),
  onMachine("after quiescing the agent runs nothing more", async (sandbox) => {
    await sandbox.quiesce();
    await expectRejection(sandbox.exec(["true"]), "sandbox-quiesced", "exec");
    await expectRejection(sandbox.spawn(["true"]), "sandbox-quiesced", "spawn");
  }),
  onMachine("after quiescing trusted commands run and files are read", async (sandbox, { scratch }) => {
    await outputOf(sandbox, "echo result > output/r");
    await sandbox.quiesce();
    expectEqual(
      await outputOf(sandbox, "cat /home/agent/output/r", { user: "root" }),
      "result",
      "trusted command",
    );
    expectEqual(text(await sandbox.readFile("/home/agent/output/r")), "result\n", "file");
    const limits = { maxBytes: 1000, maxFiles: 10, maxDepth: 3 };
    expectEqual(
      (await sandbox.download("/home/agent/output", join(scratch, "out"), limits)).files.length,
      1,
      "files",
    );
    expect(
      (await sandbox.changes()).some((entry) => entry.path === "/home/agent/output/r"),
      "the change is not listed",
    );
  }),
  onMachine("a command that still runs ends with the quiescing", async (sandbox, { clock }) => {
    const running = await sandbox.spawn(["sleep", "3504"]);
    await until(clock, "it runs", async () => (await countOf(sandbox, "sleep 3504")) === 1);
    await sandbox.quiesce();
    expectEqual((await running.ended).end, { kind: "signalled", signal: "SIGKILL" }, "end");
  }),
  onMachine("a fork bomb is quiesced", async (sandbox) => {
    const bomb = "bomb() { bomb | bomb & }; bomb & echo begun; exec sleep 3505";
    const running = await sandbox.spawn(["/bin/sh", "-c", bomb]);
    await new Promise((resolve) => running.stdout.once("data", resolve));
    await sandbox.quiesce();
    await running.ended;
    const names = (await outputOf(sandbox, "cat /proc/[0-9]*/comm", { user: "root" })).split("\n");
    expect(names.length < 8, `still running: ${names.join(" ")}`);
  }),
  onMachine("processes that respawn each other are quiesced", async (sandbox) => {
    const script = "echo 'while :; do setsid sh r & sleep 0.01; done' > r; setsid sh r & sleep 0.2";
    await shell(sandbox, script, { timeoutMs: 2000 });
    await sandbox.quiesce();
    expectEqual(await countOf(sandbox, "sh r"), 0, "processes left");
  }),
];
