import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConformanceCase, onMachine } from "../../../../conformance/conformance-case.ts";
import { expect, expectEqual, until } from "../../../../conformance/expectations.ts";
import type { DownloadLimits, DownloadReport } from "../../../../files.ts";
import { probe, told } from "../probe.ts";

const usual: DownloadLimits = { maxBytes: 10_000_000, maxFiles: 100, maxDepth: 5 };

/** What is copied out, and what is refused. */
export const windowsDownloadCases: readonly ConformanceCase[] = [
  onMachine("a folder is copied out with digests", async (sandbox, { scratch }) => {
    await sandbox.writeFile("/home/agent/o/a.cmd", "one");
    await sandbox.writeFile("/home/agent/o/sub/b ü", "two");
    const report = await sandbox.download("/home/agent/o", join(scratch, "out"), usual);
    expectEqual(
      report.files.map((file) => [file.state, file.path]),
      [
        ["taken", "a.cmd"],
        ["taken", "sub/b ü"],
      ],
      "files",
    );
    const digest = `sha256:${createHash("sha256").update("one").digest("hex")}`;
    expectEqual(
      report.files[0],
      { state: "taken", path: "a.cmd", bytes: 3, digest, mode: 0o755 },
      "first file",
    );
    expectEqual(await readFile(join(scratch, "out/sub/b ü"), "utf8"), "two", "copy");
    expectEqual(report.bytes, 6, "bytes");
  }),
  onMachine("a single file is copied out", async (sandbox, { scratch }) => {
    await sandbox.writeFile("/home/agent/f.txt", "data");
    const report = await sandbox.download("/home/agent/f.txt", join(scratch, "out"), usual);
    expectEqual(
      [report.files.map((file) => file.path), await readFile(join(scratch, "out"), "utf8")],
      [["f.txt"], "data"],
      "copy",
    );
  }),
  onMachine(
    "a file beyond the size allowed is refused, the others are taken",
    async (sandbox, { scratch }) => {
      await told(sandbox, ["random", "output\\big", "3000000"]);
      await sandbox.writeFile("/home/agent/output/small", "x");
      const report = await sandbox.download("/home/agent/output", join(scratch, "out"), {
        ...usual,
        maxBytes: 1_000_000,
      });
      expectEqual(refusals(report), ["big oversize"], "refusals");
      expectEqual(report.files.find((file) => file.path === "small")?.state, "taken", "small");
    },
  ),
  onMachine("the size allowed is for all files together", async (sandbox, { scratch }) => {
    for (const name of ["1", "2", "3"]) await told(sandbox, ["random", `output\\${name}`, "400000"]);
    const report = await sandbox.download("/home/agent/output", join(scratch, "out"), {
      ...usual,
      maxBytes: 1_000_000,
    });
    expectEqual(refusals(report), ["3 oversize"], "refusals");
  }),
  onMachine("too many files are refused", async (sandbox, { scratch }) => {
    for (let number = 0; number < 12; number++) await sandbox.writeFile(`/home/agent/o/${number}`, "");
    const report = await sandbox.download("/home/agent/o", join(scratch, "out"), { ...usual, maxFiles: 10 });
    expectEqual(
      refusals(report).map((line) => line.split(" ")[1]),
      ["too-many-files"],
      "refusals",
    );
    expectEqual(report.files.filter((file) => file.state === "taken").length, 10, "taken");
  }),
  onMachine("a tree that is too deep is refused", async (sandbox, { scratch }) => {
    await sandbox.writeFile("/home/agent/o/1/a", "x");
    await sandbox.writeFile("/home/agent/o/1/2/3/4/5/6/b", "y");
    const report = await sandbox.download("/home/agent/o", join(scratch, "out"), usual);
    expectEqual(refusals(report), ["1/2/3/4/5 too-deep"], "refusals");
  }),
  onMachine("a path longer than any file system takes is refused", async (sandbox, { scratch }) => {
    const deep = Array.from({ length: 10 }, () => "d".repeat(220)).join("/");
    await sandbox.writeFile("/home/agent/o/a", "x");
    await sandbox.writeFile(`/home/agent/o/${deep}/b`, "x");
    const report = await sandbox.download("/home/agent/o", join(scratch, "out"), { ...usual, maxDepth: 32 });
    expectEqual(
      report.files.map((file) => (file.state === "refused" ? file.code : file.path)),
      ["a", "too-deep"],
      "files",
    );
  }),
  onMachine("unsafe names are refused", async (sandbox, { scratch }) => {
    for (const name of ["a\u202eb", "c\u2028d", "e\u2066f"])
      await sandbox.writeFile(`/home/agent/o/${name}`, "x");
    const report = await sandbox.download("/home/agent/o", join(scratch, "out"), usual);
    expectEqual(refusals(report), ["a?b unsafe-name", "c?d unsafe-name", "e?f unsafe-name"], "refusals");
  }),
  onMachine("a file that changes while it is copied is refused", async (sandbox, { scratch, clock }) => {
    await told(sandbox, ["random", "output\\log", "3000000"]);
    const writer = await sandbox.spawn([probe, "rewrite", "output\\log"]);
    await new Promise((resolve) => writer.stdout.once("data", resolve));
    let round = 0;
    await until(clock, "the writer is noticed", async () => {
      const report = await sandbox.download("/home/agent/output", join(scratch, `out-${round++}`), usual);
      return refusals(report).includes("log changed-while-read");
    });
    await writer.stop();
  }),
  onMachine(
    "a file that a program holds for itself is refused, and nothing hangs",
    async (sandbox, { scratch }) => {
      await sandbox.writeFile("/home/agent/o/held", "x");
      await sandbox.writeFile("/home/agent/o/free", "x");
      const holder = await sandbox.spawn([probe, "hold", "o\\held"]);
      await new Promise((resolve) => holder.stdout.once("data", resolve));
      const report = await sandbox.download("/home/agent/o", join(scratch, "out"), usual);
      expectEqual(refusals(report), ["held unreadable"], "refusals");
      expect(
        report.files.some((file) => file.path === "free" && file.state === "taken"),
        "the other was not taken",
      );
      await holder.stop();
    },
  ),
];

function refusals(report: DownloadReport): readonly string[] {
  return report.files.flatMap((file) => (file.state === "refused" ? [`${file.path} ${file.code}`] : []));
}
