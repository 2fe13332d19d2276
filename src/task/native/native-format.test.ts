import { chmod, mkdir, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../contract/finding.ts";
import {
  type SampleOptions,
  sampleMain,
  sampleManifest,
  writeSampleTask,
} from "../../testing/sample-task.ts";
import type { TaskPackage } from "../task-package.ts";
import { nativeFormat } from "./native-format.ts";

async function read(
  options: SampleOptions,
  change?: (dir: string) => Promise<unknown>,
): Promise<TaskPackage> {
  await using sample = await writeSampleTask(options);
  await change?.(sample.dir);
  const outcome = await nativeFormat.read(sample.dir);
  if (outcome.kind === "malformed") throw new RangeError(JSON.stringify(outcome.findings));
  return outcome.task;
}

async function faults(
  options: SampleOptions,
  change?: (dir: string) => Promise<unknown>,
): Promise<readonly Finding[]> {
  await using sample = await writeSampleTask(options);
  await change?.(sample.dir);
  const outcome = await nativeFormat.read(sample.dir);
  return outcome.kind === "malformed" ? outcome.findings : [];
}

const edit = (from: string, to: string): SampleOptions => ({ manifest: sampleManifest.replace(from, to) });

describe("reading a package", () => {
  test("the sample is read without a finding, with its defaults and instances", async () => {
    const task = await read({});
    expect(task.findings).toEqual([]);
    expect(task.sealed).toBe(false);
    expect(task.manifest.network).toBe("off");
    expect(task.instances.map(({ id, seed }) => [id, seed])).toEqual([
      ["demo/ledger_total@base", 7],
      ["demo/ledger_total@large", 8],
    ]);
  });

  test("parameters are filled in as they are, not again within their values", async () => {
    const manifest = sampleManifest.replace("currency: EUR", () => 'currency: "{{currency}} $& $1"');
    const task = await read({ manifest });
    expect(await task.instruction(task.instances[0] as never)).toContain("in {{currency}} $& $1.");
  });

  test("only the parts that main.ts can define have a program", async () => {
    const task = await read({});
    const instance = task.instances[1] as never;
    expect(task.program("setup", instance)).toBeUndefined();
    expect(task.program("collect", instance)).toBeUndefined();
    expect(task.program("grade", instance)).toMatchObject({ result: "ale" });
    expect(task.program("solve", instance)?.argv).toEqual([
      "/ale/node/bin/node",
      "/ale/runtime/tasks/task/main.ts",
      "solve",
      "--trusted",
      "--instance=demo/ledger_total@large",
      "--seed=8",
      '--params={"currency":"USD"}',
      "--input=/home/agent/input",
      "--output=/home/agent/output",
    ]);
    const spread = await read({ main: sampleMain.replace("defineTask({", "defineTask({ ...{},") });
    expect(spread.program("setup", instance)).toBeDefined();
  });
});

describe("a malformed package is explained with place, value and remedy", () => {
  test.each<[string, SampleOptions, Partial<Finding>]>([
    [
      "an unknown key",
      edit("tier:", "teir:"),
      { code: "unknown-key", line: 8, column: 1, remedy: "did you mean tier?" },
    ],
    [
      "an unknown key within a list",
      edit("    kind: csv", "    knid: csv"),
      {
        code: "unknown-key",
        line: 12,
        column: 5,
        message: "outputs[0].knid is not a key that belongs here",
        remedy: "did you mean kind?",
      },
    ],
    [
      "an unknown key within an option of a union",
      edit("canary:", "network:\n  alow: [a.org]\ncanary:"),
      {
        code: "unknown-key",
        message: "network.alow is not a key that belongs here",
        remedy: "did you mean allow?",
      },
    ],
    [
      "a wrong word",
      edit("near-term", "near_term"),
      {
        code: "invalid-value",
        line: 8,
        column: 7,
        message: "tier is near_term, but must be near-term, full-spectrum or last-exam",
        remedy: "did you mean near-term?",
      },
    ],
    [
      "a number where text belongs",
      edit('"6.1"', "6.1"),
      {
        code: "wrong-type",
        line: 6,
        column: 13,
        message: "taxonomy.subfield is 6.1, but must be text",
        remedy: 'put it in quotes: "6.1"',
      },
    ],
    [
      "a bad occupation code",
      edit("43-3031", "433031"),
      { message: "taxonomy.soc[0] is 433031, but must be text" },
    ],
    [
      "another bad occupation code",
      edit("43-3031", "43-30"),
      {
        code: "invalid-value",
        message: "taxonomy.soc[0] is 43-30, but must be a SOC 2018 code such as 13-2011",
      },
    ],
    [
      "a missing key",
      edit("title: Total a ledger\n", ""),
      { code: "missing-key", message: "title is missing; it must be text" },
    ],
    [
      "an unknown subfield",
      edit("6.1", "6.11"),
      { code: "unknown-subfield", line: 6, remedy: "did you mean 6.1 (Accounting & Finance)?" },
    ],
    [
      "an id of another folder",
      edit("demo/ledger_total", "demo/ledger"),
      { code: "id-not-the-folder", line: 2, column: 5 },
    ],
    [
      "a key twice",
      edit("tier:", "title: again\ntier:"),
      { code: "duplicate-key", line: 8, remedy: "keep one of the two" },
    ],
    ["a tab", edit("  subfield", "\tsubfield"), { line: 6 }],
    [
      "a negative limit",
      edit("canary:", "limits: { calls: -1 }\ncanary:"),
      { message: "limits.calls is -1, but must be more than 0" },
    ],
    [
      "a value of no option",
      edit("canary:", "network: on\ncanary:"),
      { message: "network is on, but must be off, open or a map of keys" },
    ],
    [
      "an empty list",
      edit("[shell]", "[]"),
      { message: "interface is [], but must be a list of at least 1 item" },
    ],
    [
      "a variant twice",
      edit("variant: large", "variant: base"),
      { message: expect.stringContaining("every instance needs a variant of its own") as unknown as string },
    ],
    [
      "a channel that is not offered",
      edit("canary:", "required_channel: desktop\ncanary:"),
      { code: "channel-not-offered" },
    ],
    [
      "a placeholder without a value",
      { instruction: "total.csv in {{ curency }}\n" },
      { code: "unknown-placeholder", line: 1, column: 14, remedy: "did you mean {{currency}}?" },
    ],
    ["an empty file", { manifest: "" }, { code: "wrong-type", line: 1, column: 1 }],
  ])("%s", async (_case, options, expected) => {
    const [first] = await faults(options);
    expect(first).toMatchObject({ severity: "error", ...expected });
    if (first?.code !== "unknown-placeholder") expect(first?.path).toMatch(/task\.yaml$/);
  });

  test("a misspelt key is one fault, not also a missing one", async () => {
    expect(await faults(edit("title:", "titel:"))).toHaveLength(1);
  });

  test("several faults come in the order of the file", async () => {
    const manifest = sampleManifest
      .replace("tier:", "teir:")
      .replace("human_minutes: 5", "human_minutes: long");
    expect((await faults({ manifest })).map(({ line, code }) => [line, code])).toEqual([
      [8, "unknown-key"],
      [22, "wrong-type"],
    ]);
  });

  test("aliases that multiply beyond reason are refused", async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh".replaceAll(/./g, (name, index: number) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[index]}`).join(",")}]\n`)}`;
    expect(await faults({ manifest: bomb })).toMatchObject([{ code: "yaml-syntax" }]);
  });

  test("a missing program, a missing instruction and a link are all named", async () => {
    const found = await faults({}, async (dir) => {
      await rename(join(dir, "main.ts"), join(dir, "program.ts"));
      await symlink("/etc/passwd", join(dir, "leak.txt"));
    });
    expect(found.map(({ code }) => code)).toEqual(["missing-file", "not-a-plain-file"]);
  });

  test("an output the instruction never names and a parameter no one uses are warnings", async () => {
    const task = await read({
      instruction: "Add it all up in {{currency}}.",
      manifest: sampleManifest.replace("currency: USD }", "currency: USD, depth: 3 }"),
    });
    expect(task.findings.map(({ severity, code, line }) => [severity, code, line])).toEqual([
      ["warning", "unused-param", 19],
      ["warning", "output-not-mentioned", 11],
    ]);
  });
});

describe("the content hash", () => {
  const hash = async (
    options: SampleOptions = {},
    change?: (dir: string) => Promise<unknown>,
  ): Promise<string> => (await read(options, change)).contentHash;

  test("is the same for the same content elsewhere, written otherwise, at another time", async () => {
    const base = await hash();
    expect(base).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await hash({}, (dir) => utimes(join(dir, "main.ts"), 1, 1))).toBe(base);
    expect(await hash(edit("tier: near-term", "tier:   'near-term' # easy\nnetwork: off"))).toBe(base);
  });

  test.each<[string, SampleOptions]>([
    ["title", edit("Total a ledger", "Sum a ledger")],
    ["summary", edit("Add up", "Sum up")],
    ["provenance", edit("A. Author", "B. Author")],
    ["pool", edit("canary:", "pool: public\ncanary:")],
    ["tier", edit("near-term", "last-exam")],
    ["description of an output", edit("kind: csv", "kind: csv\n    description: the totals")],
  ])("does not depend on the %s", async (_part, options) => {
    expect(await hash(options)).toBe(await hash());
  });

  test("does not depend on receipts, tests, caches or editors' droppings", async () => {
    const files = {
      ".ale/receipt.json": "{}",
      "main.test.ts": "",
      "node_modules/a/b.js": "",
      "main.ts~": "",
      ".git/HEAD": "x",
      ".DS_Store": "x",
    };
    expect(await hash({ files })).toBe(await hash());
  });

  test.each<[string, SampleOptions]>([
    ["instruction", { instruction: "Total the amounts in {{currency}} into total.csv." }],
    ["program", { main: `${sampleMain}\n` }],
    ["reference", { files: { "reference/x.txt": "1" } }],
    ["input, hidden files too", { files: { "input/.env": "1" } }],
    ["helpers", { files: { "lib/rules.ts": "1" } }],
    ["seed", edit("seed: 7", "seed: 9")],
    ["parameters", edit("EUR", "GBP")],
    ["limits", edit("canary:", "limits: { wall_minutes: 1 }\ncanary:")],
    ["outputs", edit("kind: csv", "kind: tsv")],
  ])("depends on the %s", async (_part, options) => {
    expect(await hash(options)).not.toBe(await hash());
  });

  test("depends on whether a file may be executed, and on where it lies", async () => {
    const files = { "input/run.sh": "echo" };
    const base = await hash({ files });
    expect(await hash({ files }, (dir) => chmod(join(dir, "input/run.sh"), 0o755))).not.toBe(base);
    const moved = await hash({ files }, async (dir) => {
      await mkdir(join(dir, "input/bin"));
      await rename(join(dir, "input/run.sh"), join(dir, "input/bin/run.sh"));
    });
    expect(moved).not.toBe(base);
    expect(await hash({ files }, (dir) => writeFile(join(dir, "input/.keep"), ""))).not.toBe(base);
  });
});
