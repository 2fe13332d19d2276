import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConformanceCase, onMachine } from "../../../../conformance/conformance-case.ts";
import { expect, expectEqual, expectRejection, text, until } from "../../../../conformance/expectations.ts";
import { act, cmd, cmdResult, probe, told } from "../probe.ts";

/** Files, and what has become of them. */
export const windowsFileCases: readonly ConformanceCase[] = [
  onMachine("a written file is read back, from inside and outside", async (sandbox) => {
    await sandbox.writeFile("/home/agent/note.txt", "hello");
    expectEqual(await cmd(sandbox, "type note.txt"), "hello", "inside");
    expectEqual(text(await sandbox.readFile("/home/agent/note.txt")), "hello", "outside");
  }),
  onMachine("a written file is the agent's, who can change it", async (sandbox) => {
    await sandbox.writeFile("/home/agent/a/b/note", "x");
    await cmd(sandbox, "echo y>>a\\b\\note& ren a\\b e");
    expectEqual(text(await sandbox.readFile("/home/agent/a/e/note")), "xy\r\n", "file");
  }),
  onMachine("file modes are kept", async (sandbox) => {
    await sandbox.writeFile("/home/agent/f", "x", { mode: 0o444 });
    expectEqual((await sandbox.stat("/home/agent/f"))?.mode, 0o444, "read-only");
    await sandbox.writeFile("/home/agent/f", "x", { mode: 0o600 });
    expectEqual((await sandbox.stat("/home/agent/f"))?.mode, 0o644, "writable");
    expectEqual((await sandbox.stat("/ale/bin/probe.exe"))?.mode, 0o755, "program");
  }),
  onMachine("paths may hold blanks, quotes, accents, other scripts and emoji", async (sandbox) => {
    for (const name of [
      "a b",
      "it's",
      "déjà",
      "deja\u0300",
      "文件",
      "مرحبا",
      "\u{1F680}",
      "-rf",
      "%PATH%",
      "#",
    ]) {
      const path = `/home/agent/${name}/${name}`;
      await sandbox.writeFile(path, name);
      expectEqual(text(await sandbox.readFile(path)), name, "outside");
      expectEqual(await sandbox.list(`/home/agent/${name}`), [name], "list");
    }
  }),
  onMachine("names that Windows cannot have are refused", async (sandbox) => {
    for (const name of ["a:b", "a?", "NUL", "com1.txt", "dot.", "blank ", 'q"', "back\\slash", "tab\t"]) {
      const failed = await sandbox
        .writeFile(`/home/agent/${name}`, "")
        .catch((error: Error) => error.message);
      const wanted = `On the machine: ${JSON.stringify(`/home/agent/${name}`)} cannot be in Windows, because of ${JSON.stringify(name)}.`;
      expectEqual(failed, wanted, "message");
    }
    await expectRejection(sandbox.readFile("/etc/passwd"), "sandbox-path", "readFile");
  }),
  onMachine("a path far longer than 260 characters is written, listed, read and removed", async (sandbox) => {
    const folder = `/home/agent/${Array.from({ length: 8 }, () => "n".repeat(60)).join("/")}`;
    await sandbox.writeFile(`${folder}/f`, "deep");
    expectEqual(text(await sandbox.readFile(`${folder}/f`)), "deep", "file");
    expectEqual(await sandbox.list(folder), ["f"], "names");
    await sandbox.remove(`/home/agent/${"n".repeat(60)}`);
    expectEqual(await sandbox.stat(folder), undefined, "folder");
  }),
  onMachine("a folder, a device and a pipe cannot be read, and nothing hangs", async (sandbox) => {
    for (const path of ["/home/agent", "/home/agent/con", "/home/agent/com1"]) {
      await expectRejection(sandbox.readFile(path), "sandbox-path", path);
    }
  }),
  onMachine("stat tells size, owner and time", async (sandbox, { clock }) => {
    await told(sandbox, ["random", "f", "5"]);
    const stat = await sandbox.stat("/home/agent/f");
    expectEqual([stat?.type, stat?.bytes, stat?.owner], ["file", 5, "agent"], "stat");
    expect(Math.abs((stat?.modifiedAt ?? 0) - clock.now()) < 60_000, `modified at ${stat?.modifiedAt}`);
    expectEqual((await sandbox.stat("/home/agent"))?.type, "folder", "home");
    expectEqual(await sandbox.stat("/home/agent/f/none"), undefined, "below a file");
  }),
  onMachine("names are listed in order", async (sandbox) => {
    for (const name of ["b", "a", ".c"]) await sandbox.writeFile(`/home/agent/d/${name}`, "");
    expectEqual(await sandbox.list("/home/agent/d"), [".c", "a", "b"], "names");
    await expectRejection(sandbox.list("/home/agent/none"), "sandbox-path", "list");
    await expectRejection(sandbox.list("/home/agent/d/a"), "sandbox-path", "list of a file");
  }),
  onMachine("removing takes a whole folder, and what is absent is fine", async (sandbox) => {
    await sandbox.writeFile("/home/agent/d/e/f", "x", { mode: 0o444 });
    await sandbox.remove("/home/agent/d");
    await sandbox.remove("/home/agent/d");
    expectEqual(await sandbox.stat("/home/agent/d"), undefined, "folder");
  }),
  onMachine("a file that a program holds is not replaced, and it is said why", async (sandbox) => {
    await sandbox.writeFile("/home/agent/held", "old");
    const holder = await sandbox.spawn([probe, "hold", "held"]);
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    const failed = await sandbox.writeFile("/home/agent/held", "new").catch((error: Error) => error.message);
    expect(/\/home\/agent\/held/.test(String(failed)), `it says ${failed}`);
    expectEqual((await sandbox.list("/home/agent")).includes("held"), true, "it is there");
    await holder.stop();
    await sandbox.writeFile("/home/agent/held", "new");
    expectEqual(text(await sandbox.readFile("/home/agent/held")), "new", "file");
    expectEqual(
      (await sandbox.list("/home/agent")).filter((name) => name.startsWith(".ale")),
      [],
      "drafts",
    );
  }),
  onMachine("a file of 100 MB is written and read", async (sandbox) => {
    const bytes = Buffer.alloc(100_000_000, "abcdefghij");
    await sandbox.writeFile("/tmp/large", bytes);
    const back = await sandbox.readFile("/tmp/large", { maxBytes: bytes.length });
    const digestOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
    expectEqual(digestOf(back), digestOf(bytes), "outside");
    await sandbox.remove("/tmp/large");
  }),
  onMachine("a single file is copied in", async (sandbox, { scratch }) => {
    await writeFile(join(scratch, "f"), "data");
    await sandbox.upload(join(scratch, "f"), "/home/agent/deep/er/g");
    expectEqual(await cmd(sandbox, "type deep\\er\\g"), "data", "file");
  }),
  onMachine(
    "an uploaded input cannot be changed, renamed, replaced or made writable",
    async (sandbox, { scratch }) => {
      await makeFolder(join(scratch, "in"));
      await sandbox.upload(join(scratch, "in"), "/home/agent/input", { readOnly: true });
      expectEqual(await cmd(sandbox, "type input\\note"), "note", "reading");
      // What cmd says of its success is not to be relied on.
      for (const attempt of [
        "echo x>>input\\note",
        "del /f input\\note",
        "del /f /q input\\sub\\inner",
        "ren input elsewhere",
        "ren input\\sub other",
        "rmdir /s /q input",
        "move input\\note note",
      ]) {
        await cmdResult(sandbox, attempt);
        const names = [await sandbox.list("/home/agent/input"), await sandbox.list("/home/agent/input/sub")];
        expectEqual(names, [["note", "sub"], ["inner"]], attempt);
      }
      expectEqual(text(await sandbox.readFile("/home/agent/input/note")), "note\n", "note");
    },
  ),
  onMachine("what the agent creates, changes and deletes is listed", async (sandbox) => {
    for (const name of ["old", "gone", "same"]) await sandbox.writeFile(`/home/agent/${name}`, "x");
    await sandbox.markBaseline();
    await cmd(sandbox, "echo y>>old& del gone& mkdir d& echo z>d\\new& type same");
    expectEqual(
      (await sandbox.changes()).map(({ path, change }) => `${change} ${path}`),
      [
        "created-or-changed /home/agent/d",
        "created-or-changed /home/agent/d/new",
        "deleted /home/agent/gone",
        "created-or-changed /home/agent/old",
      ],
      "changes",
    );
  }),
  onMachine("a change that restores size and time is still seen", async (sandbox) => {
    await told(sandbox, ["restore", "f", "a"]);
    await sandbox.markBaseline();
    await told(sandbox, ["restore", "f", "b"]);
    expectEqual(
      await sandbox.changes(),
      [{ path: "/home/agent/f", change: "created-or-changed" }],
      "changes",
    );
  }),
  onMachine("no more changes are listed than asked for", async (sandbox, { clock }) => {
    await sandbox.markBaseline();
    for (let number = 0; number < 12; number++) await sandbox.writeFile(`/home/agent/${number}`, "");
    expectEqual((await sandbox.changes(7)).length, 7, "changes");
    await until(clock, "all are listed", async () => (await sandbox.changes()).length === 12);
  }),
  onMachine("a change outside the folders of the layout has its path of Windows'", async (sandbox) => {
    await sandbox.markBaseline();
    expectEqual((await act(sandbox, ["random", "C:\\Program Files\\new", "3"])).end.kind, "exited", "end");
    expectEqual(
      (await sandbox.changes()).map(({ path }) => path),
      ["C:\\Program Files\\new"],
      "changes",
    );
    await cmd(sandbox, "del C:\\Progra~1\\new");
  }),
];

async function makeFolder(folder: string): Promise<void> {
  await mkdir(join(folder, "sub"), { recursive: true });
  await writeFile(join(folder, "note"), "note\n");
  await writeFile(join(folder, "sub", "inner"), "inner\n");
}
