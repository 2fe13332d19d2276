import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DownloadLimits, DownloadReport } from "../../files.ts";
import type { Sandbox } from "../../sandbox.ts";
import { type CaseContext, type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, expectRejection, outputOf, until } from "../expectations.ts";

const usual: DownloadLimits = { maxBytes: 10_000_000, maxFiles: 100, maxDepth: 5 };

export const downloadCases: readonly ConformanceCase[] = [
  onMachine("a folder is copied out with digests", async (sandbox, { scratch }) => {
    const report = await taken(
      sandbox,
      scratch,
      "mkdir -p o/sub; printf one > o/a; printf two > 'o/sub/b ü'; chmod 755 o/a",
    );
    expectEqual(
      report.files.map((file) => [file.state, file.path]),
      [
        ["taken", "a"],
        ["taken", "sub/b ü"],
      ],
      "files",
    );
    const [first] = report.files;
    const digest = `sha256:${createHash("sha256").update("one").digest("hex")}`;
    expectEqual(first, { state: "taken", path: "a", bytes: 3, digest, mode: 0o755 }, "first file");
    expectEqual(await readFile(join(scratch, "out/sub/b ü"), "utf8"), "two", "copy");
    expectEqual(report.bytes, 6, "bytes");
  }),
  onMachine("a single file is copied out", async (sandbox, { scratch }) => {
    await outputOf(sandbox, "printf data > f.txt");
    const report = await sandbox.download("/home/agent/f.txt", join(scratch, "out"), usual);
    expectEqual(
      report.files.map((file) => file.path),
      ["f.txt"],
      "files",
    );
    expectEqual(await readFile(join(scratch, "out"), "utf8"), "data", "copy");
  }),
  onMachine("a path that does not exist cannot be copied out", async (sandbox, { scratch }) => {
    await expectRejection(
      sandbox.download("/home/agent/none", join(scratch, "out"), usual),
      "sandbox-path",
      "download",
    );
  }),
  onMachine(
    "links that lead out are refused, and nothing they lead to is read",
    async (sandbox, { scratch }) => {
      const script = `mkdir o; echo x > o/a; ln -s /etc/passwd o/l1; ln -s ${scratch} o/l2; ln -s ../../../../.. o/l3; ln -s none o/l4`;
      const report = await taken(sandbox, scratch, script);
      expectEqual(refusals(report), ["l1 link-out", "l2 link-out", "l3 link-out", "l4 link-out"], "refusals");
      for (const name of ["l1", "l2", "l3", "l4"]) {
        expectEqual(await lstat(join(scratch, "out", name)).catch(() => "absent"), "absent", name);
      }
    },
  ),
  onMachine("a folder that is itself a link is not followed", async (sandbox, { scratch }) => {
    await outputOf(sandbox, "ln -s /etc o");
    const report = await sandbox.download("/home/agent/o", join(scratch, "out"), usual);
    expectEqual(refusals(report), ["o link-out"], "refusals");
  }),
  onMachine("pipes and sockets are refused, and nothing hangs", async (sandbox, { scratch }) => {
    const socket = `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "o/s", Listen => 1) or die'`;
    const report = await taken(sandbox, scratch, `mkdir o; mkfifo o/p; ${socket}`);
    expectEqual(refusals(report), ["p special-file", "s special-file"], "refusals");
  }),
  onMachine(
    "a file beyond the size allowed is refused, the others are taken",
    async (sandbox, { scratch }) => {
      const script = "mkdir o; head -c 3000000 /dev/urandom > o/big; echo x > o/small";
      const report = await taken(sandbox, scratch, script, { ...usual, maxBytes: 1_000_000 });
      expectEqual(refusals(report), ["big oversize"], "refusals");
      expectEqual(report.files.find((file) => file.path === "small")?.state, "taken", "small");
    },
  ),
  onMachine("the size allowed is for all files together", async (sandbox, { scratch }) => {
    const script = "mkdir o; for n in 1 2 3; do head -c 400000 /dev/urandom > o/$n; done";
    const report = await taken(sandbox, scratch, script, { ...usual, maxBytes: 1_000_000 });
    expectEqual(refusals(report), ["3 oversize"], "refusals");
  }),
  onMachine("a sparse file is refused", async (sandbox, { scratch }) => {
    const report = await taken(sandbox, scratch, "mkdir o; truncate -s 8M o/hole", usual);
    expectEqual(refusals(report), ["hole sparse"], "refusals");
  }),
  onMachine("too many files are refused", async (sandbox, { scratch }) => {
    const report = await taken(sandbox, scratch, "mkdir o; cd o; seq 1 500 | xargs touch");
    expectEqual(
      refusals(report).map((line) => line.split(" ")[1]),
      ["too-many-files"],
      "refusals",
    );
    expectEqual(report.files.filter((file) => file.state === "taken").length, usual.maxFiles, "taken");
  }),
  onMachine("a tree that is too deep is refused", async (sandbox, { scratch }) => {
    const report = await taken(
      sandbox,
      scratch,
      "mkdir -p o/1/2/3/4/5/6/7; echo x > o/1/a; echo y > o/1/2/3/4/5/6/b",
    );
    expectEqual(refusals(report), ["1/2/3/4/5 too-deep"], "refusals");
  }),
  onMachine("a path longer than any file system takes is refused", async (sandbox, { scratch }) => {
    const script = `mkdir o; echo x > o/a; perl -e 'chdir "o"; for (1..20) { mkdir "d" x 250; chdir "d" x 250 or last }'`;
    const report = await taken(sandbox, scratch, script, { ...usual, maxDepth: 32 });
    expectEqual(
      report.files.map((file) => (file.state === "refused" ? file.code : file.path)),
      ["a", "too-deep"],
      "files",
    );
  }),
  onMachine("a tree of thousands of levels is refused without harm", async (sandbox, { scratch }) => {
    const script = `mkdir o; perl -e 'chdir "o"; for (1..3000) { mkdir "d"; chdir "d" or last }'`;
    const report = await taken(sandbox, scratch, script);
    expectEqual(
      refusals(report).map((line) => line.split(" ")[1]),
      ["too-deep"],
      "refusals",
    );
  }),
  onMachine("unsafe names are refused", async (sandbox, { scratch }) => {
    const script = `mkdir o; perl -e 'for ("a\\nb", "c\\\\d", "e\\xff", "f\\e[31m") { open F, ">", "o/$_"; close F }'`;
    const report = await taken(sandbox, scratch, script);
    expectEqual(
      refusals(report).map((line) => line.split(" ").at(-1)),
      Array(4).fill("unsafe-name"),
      "refusals",
    );
    expect(!report.files.some((file) => /\p{Cc}/u.test(file.path)), "a control character is in the report");
  }),
  onMachine("two names of one file are both taken", async (sandbox, { scratch }) => {
    const report = await taken(sandbox, scratch, "mkdir o; echo x > o/a; ln o/a o/b");
    expectEqual(
      report.files.map((file) => file.state),
      ["taken", "taken"],
      "states",
    );
  }),
  onMachine("a file that changes while it is copied is refused", async (sandbox, { scratch, clock }) => {
    await outputOf(sandbox, "mkdir o; head -c 3000000 /dev/urandom > o/log");
    const script = `$| = 1; open F, "+<", "o/log"; print "ready\\n"; while (1) { sysseek F, 0, 0; syswrite F, rand }`;
    const writer = await sandbox.spawn(["perl", "-e", script]);
    await new Promise((resolve) => writer.stdout.once("data", resolve));
    // A writer that gets no processor for a moment changes nothing meanwhile: then the copy is good.
    let round = 0;
    await until(clock, "the writer is noticed", async () => {
      const report = await sandbox.download("/home/agent/o", join(scratch, `out-${round++}`), usual);
      return refusals(report).includes("log changed-while-read");
    });
    await writer.stop();
  }),
  onMachine("a tree that turns into links while it is copied leads nowhere", async (sandbox, { scratch }) => {
    await outputOf(sandbox, "mkdir -p o/d; echo inside > o/d/hostname");
    const script = "echo ready; while :; do mv o/d o/e; ln -s /etc o/d; rm o/d; mv o/e o/d; done";
    const swapper = await sandbox.spawn(["/bin/sh", "-c", script]);
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    for (let round = 0; round < 40; round++) {
      await sandbox.download("/home/agent/o", join(scratch, `out-${round}`), usual);
      const copy = join(scratch, `out-${round}`, "d", "hostname");
      const text = await readFile(copy, "utf8").catch(() => "inside\n");
      expectEqual(text, "inside\n", "what was copied");
    }
    await swapper.stop();
  }),
];

/** Runs the script, which makes `o`, and copies that out. */
async function taken(
  sandbox: Sandbox,
  scratch: CaseContext["scratch"],
  script: string,
  limits: DownloadLimits = usual,
): Promise<DownloadReport> {
  await outputOf(sandbox, script);
  return sandbox.download("/home/agent/o", join(scratch, "out"), limits);
}

function refusals(report: DownloadReport): readonly string[] {
  return report.files.flatMap((file) => (file.state === "refused" ? [`${file.path} ${file.code}`] : []));
}
