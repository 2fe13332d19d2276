import { createHash } from "node:crypto";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, expectFailure, expectRejection, outputOf, text } from "../expectations.ts";

export const fileCases: readonly ConformanceCase[] = [
  onMachine("a written file is read back, from inside and outside", async (sandbox) => {
    await sandbox.writeFile("/home/agent/note.txt", "hello");
    expectEqual(await outputOf(sandbox, "cat note.txt"), "hello", "inside");
    expectEqual(text(await sandbox.readFile("/home/agent/note.txt")), "hello", "outside");
  }),
  onMachine("a written file is the agent's, who can change it", async (sandbox) => {
    await sandbox.writeFile("/home/agent/a/b/note", "x");
    await outputOf(sandbox, "echo y >> a/b/note && touch a/c && rmdir a/d 2>/dev/null; mv a/b a/e");
    expectEqual(text(await sandbox.readFile("/home/agent/a/e/note")), "xy\n", "file");
  }),
  onMachine("bytes are written and read unchanged", async (sandbox) => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
    await sandbox.writeFile("/tmp/bytes", bytes);
    expect(Buffer.from(await sandbox.readFile("/tmp/bytes")).equals(Buffer.from(bytes)), "the bytes differ");
  }),
  onMachine("writing replaces a file whole and keeps no longer tail", async (sandbox) => {
    await sandbox.writeFile("/tmp/f", "a long first version");
    await sandbox.writeFile("/tmp/f", "short");
    expectEqual(text(await sandbox.readFile("/tmp/f")), "short", "file");
  }),
  onMachine("file modes are kept", async (sandbox) => {
    for (const mode of [0o600, 0o644, 0o755, 0o444]) {
      await sandbox.writeFile("/home/agent/f", "x", { mode });
      expectEqual((await sandbox.stat("/home/agent/f"))?.mode, mode, "mode");
      expectEqual(Number.parseInt(await outputOf(sandbox, "stat -c %a f"), 8), mode, "mode inside");
    }
  }),
  onMachine("paths may hold blanks, quotes, accents, other scripts and emoji", async (sandbox) => {
    for (const name of [
      "a b",
      'it\'s "q"',
      "déjà",
      "deja\u0300",
      "文件",
      "مرحبا",
      "\u{1F680}",
      "-rf",
      "$HOME",
      "#",
    ]) {
      const path = `/home/agent/${name}/${name}`;
      await sandbox.writeFile(path, name);
      expectEqual(text((await sandbox.exec(["cat", path])).stdout), name, "inside");
      expectEqual(await sandbox.list(`/home/agent/${name}`), [name], "list");
    }
  }),
  onMachine("a missing file cannot be read", async (sandbox) => {
    await expectRejection(sandbox.readFile("/home/agent/none"), "sandbox-path", "readFile");
  }),
  onMachine("a folder, a device and a pipe cannot be read, and nothing hangs", async (sandbox) => {
    await outputOf(sandbox, "mkfifo pipe");
    for (const path of ["/home/agent", "/dev/zero", "/home/agent/pipe"]) {
      await expectRejection(sandbox.readFile(path), "sandbox-path", path);
    }
  }),
  onMachine("a file larger than asked for is not read", async (sandbox) => {
    await sandbox.writeFile("/tmp/f", "12345");
    await expectRejection(sandbox.readFile("/tmp/f", { maxBytes: 4 }), "sandbox-path", "readFile");
    expectEqual((await sandbox.readFile("/tmp/f", { maxBytes: 5 })).length, 5, "bytes");
  }),
  onMachine("a relative path is refused", async (sandbox) => {
    await expectRejection(sandbox.readFile("note"), "sandbox-path", "readFile");
    await expectRejection(sandbox.writeFile("note", ""), "sandbox-path", "writeFile");
  }),
  onMachine("stat tells kinds apart and does not follow links", async (sandbox) => {
    await outputOf(sandbox, "echo x > f; mkdir d; ln -s f l; mkfifo p");
    const kinds = await Promise.all(["f", "d", "l", "p"].map((name) => sandbox.stat(`/home/agent/${name}`)));
    expectEqual(
      kinds.map((stat) => stat?.type),
      ["file", "folder", "link", "other"],
      "types",
    );
    expectEqual(await sandbox.stat("/home/agent/none"), undefined, "absent");
  }),
  onMachine("stat tells size, owner and time", async (sandbox, { clock }) => {
    await outputOf(sandbox, "printf 12345 > f");
    const stat = await sandbox.stat("/home/agent/f");
    expectEqual([stat?.bytes, stat?.owner], [5, "agent"], "stat");
    expect(Math.abs((stat?.modifiedAt ?? 0) - clock.now()) < 60_000, `modified at ${stat?.modifiedAt}`);
  }),
  onMachine("root's files are told from the agent's", async (sandbox) => {
    await sandbox.writeFile("/home/agent/r", "x", { owner: "root" });
    expectEqual((await sandbox.stat("/home/agent/r"))?.owner, "root", "owner");
    await expectFailure(sandbox, "echo y >> r");
  }),
  onMachine("names are listed in order", async (sandbox) => {
    await outputOf(sandbox, "mkdir d; touch d/b d/a d/.c");
    expectEqual(await sandbox.list("/home/agent/d"), [".c", "a", "b"], "names");
    await expectRejection(sandbox.list("/home/agent/none"), "sandbox-path", "list");
  }),
  onMachine("removing takes a whole folder, and what is absent is fine", async (sandbox) => {
    await outputOf(sandbox, "mkdir -p d/e/f; touch d/e/g; ln -s /etc d/etc");
    await sandbox.remove("/home/agent/d");
    await sandbox.remove("/home/agent/d");
    expectEqual(await sandbox.stat("/home/agent/d"), undefined, "folder");
    expect((await sandbox.stat("/etc/passwd")) !== undefined, "what a link led to was removed");
  }),
  onMachine("links lead to the machine's files, never to the host's", async (sandbox, { scratch }) => {
    await outputOf(
      sandbox,
      `ln -s /etc/hostname name; ln -s ${scratch} out; ln -s ../../../../../../etc/hostname up`,
    );
    expectEqual(text(await sandbox.readFile("/home/agent/name")), "ale\n", "name");
    expectEqual(text(await sandbox.readFile("/home/agent/up")), "ale\n", "up");
    await expectRejection(sandbox.list("/home/agent/out"), "sandbox-path", "list");
  }),
  onMachine("writing to a link replaces the link, not what it leads to", async (sandbox) => {
    await outputOf(sandbox, "echo kept > target; ln -s target link");
    await sandbox.writeFile("/home/agent/link", "new");
    expectEqual(await outputOf(sandbox, "cat target link"), "kept\nnew", "files");
  }),
  onMachine("a file of 100 MB is written and read", async (sandbox, context) => {
    const bytes = Buffer.alloc(100_000_000, "abcdefghij");
    const large = await context.machine({ diskMb: 256, memoryMb: 512 });
    await large.writeFile("/tmp/large", bytes);
    const digest = createHash("sha256").update(bytes).digest("hex");
    expectEqual((await outputOf(large, "sha256sum /tmp/large")).slice(0, 64), digest, "inside");
    const back = await large.readFile("/tmp/large", { maxBytes: bytes.length });
    expectEqual(createHash("sha256").update(back).digest("hex"), digest, "outside");
    await sandbox.remove("/tmp/none");
  }),
];
