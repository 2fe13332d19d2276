import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { sendTree } from "./send-tree.ts";

async function folderOf(files: number, bytes: number): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "ale-send-"));
  for (let index = 0; index < files; index++)
    await writeFile(join(path, `f${index}`), Buffer.alloc(bytes, 1));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test("a folder of many files is sent whole, and leaves no listener behind", async () => {
  await using folder = await folderOf(30, 200_000);
  let bytes = 0;
  const into = new Writable({
    write(piece: Buffer, _, done) {
      bytes += piece.length;
      setImmediate(done);
    },
  });
  const before = into.eventNames().length;
  await sendTree(folder.path, "/home/agent/x", into);
  expect(into.eventNames()).toHaveLength(before);
  into.end();
  await new Promise((resolve) => into.on("finish", resolve));
  expect(bytes).toBeGreaterThan(30 * 200_000);
});

test("what is closed on the way ends the sending", async () => {
  await using folder = await folderOf(3, 200_000);
  const into = new Writable({ write: () => into.destroy() });
  await sendTree(folder.path, "/home/agent/x", into);
  expect(into.destroyed).toBe(true);
});
