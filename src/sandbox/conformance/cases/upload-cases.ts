import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expectEqual, expectFailure, expectRejection, outputOf } from "../expectations.ts";

export const uploadCases: readonly ConformanceCase[] = [
  onMachine("a folder is copied in with its modes and links", async (sandbox, { scratch }) => {
    await makeFolder(scratch);
    await sandbox.upload(join(scratch, "in"), "/home/agent/work");
    const listing = await outputOf(sandbox, "cd work && find . -printf '%P %m %y %l\\n' | sort");
    const wanted = ["755 d", "link 777 l sub/tool", "note 644 f", "sub 755 d", "sub/tool 755 f", "ü 1 600 f"];
    expectEqual(
      listing.split("\n").map((line) => line.trim()),
      wanted,
      "listing",
    );
    await outputOf(sandbox, "cd work && echo more >> note && rm -r sub");
  }),
  onMachine("a single file is copied in", async (sandbox, { scratch }) => {
    await writeFile(join(scratch, "f"), "data");
    await sandbox.upload(join(scratch, "f"), "/home/agent/deep/er/g");
    expectEqual(await outputOf(sandbox, "cat deep/er/g"), "data", "file");
  }),
  onMachine(
    "an uploaded input cannot be changed, renamed, replaced or made writable",
    async (sandbox, { scratch }) => {
      await makeFolder(scratch);
      await sandbox.upload(join(scratch, "in"), "/home/agent/input", { readOnly: true });
      expectEqual(await outputOf(sandbox, "cat input/note"), "note", "reading");
      for (const attempt of [
        "echo x >> input/note",
        "echo x > input/new",
        "rm -f input/note",
        "rm -rf input/sub",
        "mv input/note input/other",
        "mv input elsewhere",
        "rmdir input",
        "chmod 777 input",
        "chmod 666 input/note",
        "touch -d 2001-01-01 input/note",
        "ln -sfn /tmp input && echo x > input/planted",
        "umount input",
      ]) {
        await expectFailure(sandbox, attempt);
      }
      expectEqual(
        await outputOf(sandbox, "cat input/note && ls input | wc -l"),
        "note\n4",
        "input afterwards",
      );
    },
  ),
  onMachine(
    "an upload from a path that does not exist is the caller's mistake",
    async (sandbox, { scratch }) => {
      await expectRejection(sandbox.upload(join(scratch, "none"), "/tmp/x"), "host-path", "upload");
    },
  ),
  onMachine("host folders are shown where the machine was to have them, read-only", async (_, context) => {
    await makeFolder(context.scratch);
    const mounts = [{ source: join(context.scratch, "in"), target: "/ale/shown/deep" }];
    const sandbox = await context.machine({ mounts });
    expectEqual(await outputOf(sandbox, "cat /ale/shown/deep/note"), "note", "file");
    for (const user of ["agent", "root"] as const) {
      await expectFailure(sandbox, "echo x > /ale/shown/deep/note || touch /ale/shown/deep/new", { user });
    }
  }),
];

async function makeFolder(scratch: string): Promise<void> {
  const folder = join(scratch, "in");
  await chmod(scratch, 0o755);
  await mkdir(join(folder, "sub"), { recursive: true });
  await writeFile(join(folder, "note"), "note\n");
  await writeFile(join(folder, "ü 1"), "");
  await writeFile(join(folder, "sub", "tool"), "#!/bin/sh\n");
  await symlink("sub/tool", join(folder, "link"));
  await chmod(join(folder, "ü 1"), 0o600);
  await chmod(join(folder, "note"), 0o644);
  await chmod(join(folder, "sub", "tool"), 0o755);
  for (const path of [folder, join(folder, "sub")]) await chmod(path, 0o755);
}
