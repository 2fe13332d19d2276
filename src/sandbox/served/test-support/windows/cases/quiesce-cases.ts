import { join } from "node:path";
import { type ConformanceCase, onMachine } from "../../../../conformance/conformance-case.ts";
import { expect, expectEqual, expectRejection, text, until } from "../../../../conformance/expectations.ts";
import { act, cmd, countOf, haveBegun, probe, told, treeOf } from "../probe.ts";

/** What ends with the agent's work, and what goes on. */
export const windowsQuiesceCases: readonly ConformanceCase[] = [
  onMachine("quiescing ends and names every process the agent left", async (sandbox, { clock }) => {
    await told(sandbox, ["leave", "tree", "ale-quiesce"]);
    await until(clock, "all of them run", () => haveBegun(sandbox, treeOf("ale-quiesce")));
    const { ended } = await sandbox.quiesce();
    expectEqual(ended, Array(4).fill("probe.exe"), "names");
    await until(clock, "all ended", async () => (await countOf("ale-quiesce")) === 0);
  }),
  onMachine("quiescing twice is quiescing once", async (sandbox) => {
    await told(sandbox, ["leave", "sleep", "ale-twice"]);
    expectEqual(await sandbox.quiesce(), { ended: ["probe.exe"] }, "report");
    expectEqual(await sandbox.quiesce(), await sandbox.quiesce(), "reports");
  }),
  onMachine("quiescing a machine at rest ends nothing", async (sandbox) => {
    await told(sandbox, ["say", ""]);
    expectEqual(await sandbox.quiesce(), { ended: [] }, "report");
  }),
  onMachine("after quiescing the agent runs nothing more", async (sandbox) => {
    await sandbox.quiesce();
    await expectRejection(sandbox.exec([probe, "say", ""]), "sandbox-quiesced", "exec");
    await expectRejection(sandbox.spawn([probe, "say", ""]), "sandbox-quiesced", "spawn");
  }),
  onMachine("after quiescing trusted commands run and files are read", async (sandbox, { scratch }) => {
    await cmd(sandbox, "echo result>output\\r");
    await sandbox.quiesce();
    const trusted = await cmd(sandbox, "type C:\\Users\\agent\\output\\r", { user: "root" });
    expectEqual(trusted, "result", "trusted command");
    expectEqual(text(await sandbox.readFile("/home/agent/output/r")), "result\r\n", "file");
    const limits = { maxBytes: 1000, maxFiles: 10, maxDepth: 3 };
    const report = await sandbox.download("/home/agent/output", join(scratch, "out"), limits);
    expectEqual(report.files.length, 1, "files");
    expect(
      (await sandbox.changes()).some((entry) => entry.path === "/home/agent/output/r"),
      "the change is not listed",
    );
  }),
  onMachine("a command that still runs ends with the quiescing", async (sandbox, { clock }) => {
    const running = await sandbox.spawn([probe, "sleep", "ale-running"]);
    await until(clock, "it runs", () => haveBegun(sandbox, ["ale-running"]));
    await sandbox.quiesce();
    expectEqual((await running.ended).end, { kind: "signalled", signal: "SIGKILL" }, "end");
  }),
  onMachine("processes that respawn each other are quiesced", async (sandbox, { clock }) => {
    await act(sandbox, ["leave", "respawn", "ale-respawn"]);
    await until(clock, "they run", async () => (await countOf("ale-respawn")) > 0);
    await sandbox.quiesce();
    await until(clock, "none is left", async () => (await countOf("ale-respawn")) === 0);
  }),
];
