import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runNode } from "../../testing/run-node.ts";
import { markFindings } from "../lint/mark-findings.ts";
import { nativeFormat } from "../native/native-format.ts";
import { ScratchFolder } from "../native/scratch-folder.ts";
import { scaffoldTask } from "./scaffold-task.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** A folder in which `ale` can be imported, as on an author's machine. */
async function authorsFolder(): Promise<ScratchFolder> {
  const scratch = await ScratchFolder.make();
  await mkdir(join(scratch.path, "node_modules"));
  await symlink(repository, join(scratch.path, "node_modules", "ale"));
  return scratch;
}

describe("a new task", () => {
  test.each(["csv", "json"] as const)(
    "of kind %s passes check once its marks are filled in",
    async (kind) => {
      await using folder = await authorsFolder();
      const dir = await scaffoldTask({ id: "trade/stock_take", dir: folder.path, kind });
      for (const name of await readdir(dir)) {
        const text = await readFile(join(dir, name), "utf8");
        expect(text).toContain("[[fill: ");
        await writeFile(join(dir, name), text.replaceAll(/\[\[fill: [^\]]*\]\]/g, "Filled in"));
      }
      const run = await runNode(join(dir, "main.ts"), ["check", "--variant", "base"]);
      expect(run.stderr).toBe("");
      expect(run.stdout).toMatch(
        /^ok {4}trade\/stock_take@base: untouched 0, oracle 1, probes 8\/8, mutations caught 100%/m,
      );
      expect(run.stdout).not.toMatch(/error|warning/);
      expect(run.code).toBe(0);
    },
  );

  test("can be read at once, and every mark left is an error with its line", async () => {
    await using folder = await ScratchFolder.make();
    const dir = await scaffoldTask({ id: "trade/stock_take", dir: folder.path });
    const outcome = await nativeFormat.read(dir);
    if (outcome.kind === "malformed") throw new RangeError(JSON.stringify(outcome.findings));
    const found = markFindings(outcome.task);
    expect(found.every(({ severity, code }) => severity === "error" && code === "unfilled-mark")).toBe(true);
    expect(found.map(({ path, line }) => `${path?.slice(dir.length + 1)}:${line}`)).toEqual([
      "task.yaml:4",
      "task.yaml:5",
      "task.yaml:7",
      "task.yaml:8",
      "task.yaml:24",
      "task.yaml:25",
      "instruction.md:1",
      "main.ts:1",
    ]);
    expect(found[0]?.message).toBe("still to fill in: title: the work in a few words");
  });

  test("starts with the line by which editors find the schema", async () => {
    await using folder = await ScratchFolder.make();
    const dir = await scaffoldTask({ id: "trade/stock_take", dir: folder.path });
    const [first = ""] = (await readFile(join(dir, "task.yaml"), "utf8")).split("\n");
    const path = /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? "";
    const schema = JSON.parse(await readFile(join(dir, path), "utf8")) as { readonly title: string };
    expect(schema.title).toContain("task.yaml");
  });

  test("never overwrites, and refuses an id that is none", async () => {
    await using folder = await ScratchFolder.make();
    const options = { id: "trade/stock_take", dir: folder.path };
    await scaffoldTask(options);
    await expect(scaffoldTask(options)).rejects.toMatchObject({ code: "already-there" });
    await expect(scaffoldTask({ ...options, id: "Trade" })).rejects.toMatchObject({ code: "bad-task-id" });
    await expect(scaffoldTask({ ...options, id: "../a/b" })).rejects.toMatchObject({ code: "bad-task-id" });
  });
});
