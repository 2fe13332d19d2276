import { appendFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, test } from "vitest";
import { sampleManifest, writeSampleTask } from "../../testing/sample-task.ts";
import { nativeFormat } from "../native/native-format.ts";
import { ScratchFolder } from "../native/scratch-folder.ts";
import type { TaskPackage } from "../task-package.ts";
import { openSealed } from "./open-sealed.ts";
import { sealPackage } from "./seal-package.ts";
import { stagedInput } from "./staged-input.ts";

const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);
const other = await generateX25519Identity();

const files = {
  "reference/answer.bin": Buffer.alloc(300_000, "the hidden answer "),
  "lib/@rules.ts": "export const tolerance = 0.005;\n",
  "input/notes.md": "Amounts are in the ledger's currency.\n",
};

async function read(dir: string): Promise<TaskPackage> {
  const outcome = await nativeFormat.read(dir);
  if (outcome.kind === "malformed") throw new RangeError(JSON.stringify(outcome.findings));
  return outcome.task;
}

async function seal(root: string, task: TaskPackage): Promise<string> {
  const input = join(root, "staged");
  await mkdir(input);
  await writeFile(join(input, "ledger.csv"), "account,amount\n");
  const options = {
    recipients: [await identityToRecipient(other), recipient],
    stagedInstances: [{ variant: "base", input }],
  };
  return sealPackage(task, options, join(root, "sealed"));
}

describe("sealing", () => {
  test("leaves the agent's view readable and nothing of the rest", async () => {
    await using sample = await writeSampleTask({ files });
    const task = await read(sample.dir);
    const dir = await seal(sample.root, task);
    expect((await readdir(dir)).sort()).toEqual([
      "hidden.tar.gz.age",
      "input",
      "instruction.md",
      "sealed.json",
      "staged",
      "task.yaml",
    ]);

    const sealed = await read(dir);
    const [base, large] = sealed.instances as [never, never];
    expect(sealed.sealed).toBe(true);
    expect(sealed.contentHash).toBe(task.contentHash);
    expect(await sealed.instruction(base)).toBe(await task.instruction(base));
    expect(await readFile(join((await stagedInput(sealed, base)) ?? "", "ledger.csv"), "utf8")).toBe(
      "account,amount\n",
    );
    expect(await stagedInput(sealed, large)).toBeUndefined();
    expect(() => sealed.program("grade", base)).toThrow(expect.objectContaining({ code: "task-sealed" }));
    expect(sealed.program("setup", base)).toBeUndefined();
  });

  test("is undone by the identity of any recipient, with the same hash and the same bytes", async () => {
    await using sample = await writeSampleTask({ files });
    await using place = await ScratchFolder.make();
    const task = await read(sample.dir);
    const sealed = await read(await seal(sample.root, task));
    const opened = await openSealed(sealed, `# created: today\n${identity}\n`, place.path);
    expect(opened.sealed).toBe(false);
    expect(opened.contentHash).toBe(task.contentHash);
    for (const path of ["main.ts", ...Object.keys(files)]) {
      expect(await readFile(join(opened.dir, path))).toEqual(await readFile(join(sample.dir, path)));
    }
    expect(opened.program("grade", opened.instances[0] as never)).toBeDefined();
    expect((await stat(opened.dir)).mode & 0o077).toBe(0);
  });

  test("a key it was not sealed for opens nothing and leaves nothing", async () => {
    await using sample = await writeSampleTask();
    await using place = await ScratchFolder.make();
    const sealed = await read(await seal(sample.root, await read(sample.dir)));
    const stranger = await generateX25519Identity();
    await expect(openSealed(sealed, stranger, place.path)).rejects.toMatchObject({
      code: "wrong-key",
      remedy: expect.stringContaining("recipients"),
    });
    await expect(openSealed(sealed, "age1notakey", place.path)).rejects.toMatchObject({
      code: "bad-identity",
    });
    await expect(stat(join(place.path, "demo/ledger_total"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test.each([
    ["hidden.tar.gz.age", "sealed-archive-changed"],
    ["instruction.md", "sealed-changed"],
    ["input/notes.md", "sealed-changed"],
    ["staged/base/ledger.csv", "sealed-input-changed"],
    ["sealed.json", "sealed-index"],
  ])("a change of %s after sealing makes the package malformed", async (path, code) => {
    await using sample = await writeSampleTask({ files });
    const dir = await seal(sample.root, await read(sample.dir));
    await appendFile(join(dir, path), "x");
    expect(await nativeFormat.read(dir)).toMatchObject({ kind: "malformed", findings: [{ code }] });
  });

  test("an archive changed with its digest is found out on opening", async () => {
    await using sample = await writeSampleTask({ files });
    await using place = await ScratchFolder.make();
    const sealed = await read(await seal(sample.root, await read(sample.dir)));
    // A stranger can seal other content for the same recipients, but not under the same hash.
    await writeFile(join(sample.dir, "reference/answer.bin"), "forged");
    const forged = await sealPackage(
      await read(sample.dir),
      { recipients: [recipient], stagedInstances: [] },
      join(sample.root, "forged"),
    );
    const index = JSON.parse(await readFile(join(forged, "sealed.json"), "utf8")) as { archive: object };
    const path = join(sealed.dir, "sealed.json");
    const own = JSON.parse(await readFile(path, "utf8")) as object;
    await writeFile(path, JSON.stringify({ ...own, archive: index.archive }));
    await writeFile(join(sealed.dir, "hidden.tar.gz.age"), await readFile(join(forged, "hidden.tar.gz.age")));
    await expect(openSealed(await read(sealed.dir), identity, place.path)).rejects.toMatchObject({
      code: "sealed-changed",
    });
  });

  test.each([
    [[], "bad-recipient"],
    [["age1wrong"], "bad-recipient"],
    [[identity], "bad-recipient"],
  ])("recipients %#: it is refused, and no secret is repeated", async (recipients, code) => {
    await using sample = await writeSampleTask();
    const sealing = sealPackage(
      await read(sample.dir),
      { recipients, stagedInstances: [] },
      join(sample.root, "out"),
    );
    const error = await sealing.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain("AGE-SECRET");
  });

  test("the title may be changed after sealing", async () => {
    await using sample = await writeSampleTask();
    const dir = await seal(sample.root, await read(sample.dir));
    await writeFile(join(dir, "task.yaml"), sampleManifest.replace("Total a ledger", "Sum a ledger"));
    expect((await read(dir)).manifest.title).toBe("Sum a ledger");
  });
});
