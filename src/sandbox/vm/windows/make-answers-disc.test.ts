import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { repositoryRoot } from "../../../../test/source-imports.ts";
import { runHostProgram } from "../../local/run-host-program.ts";
import { fillAnswers, makeAnswersDisc } from "./make-answers-disc.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-answers-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const recipe = join(repositoryRoot, "images", "vm-windows");

describe("the answers to an installer of Windows", () => {
  test("have nothing left to fill in, and what is filled in is XML", async () => {
    const filled = fillAnswers(await readFile(join(recipe, "autounattend.xml"), "utf8"), {
      ...{ password: "p<&>", administratorPassword: "other", edition: "Windows 10 Pro", productKey: "" },
    });
    expect(filled).toContain("<Password><Value>p&lt;&amp;&gt;</Value>");
    expect(filled).toContain("<AdministratorPassword><Value>other</Value>");
    expect(filled).toContain("<ProductKey><WillShowUI>");
    expect(filled.replace(/<!--[\s\S]*?-->/g, "")).not.toContain("{{");
    expect(fillAnswers("<ProductKey>{{productKey}}</ProductKey>", { productKey: "A-B" })).toBe(
      "<ProductKey><Key>A-B</Key></ProductKey>",
    );
    expect(() => fillAnswers("<Value>{{password}}</Value>", {})).toThrow("lack password");
  });

  test.skipIf(!existsSync("/usr/bin/xorriso"))("lie on a disc with what is copied to C:\\ale", async () => {
    const program = join(folder, "program");
    await writeFile(program, "MZ");
    const options = {
      recipe,
      serveProgram: program,
      nodeProgram: program,
      edition: "Windows 10 Pro",
      folder,
    };
    const disc = await makeAnswersDisc({ ...options, productKey: "A-B" });
    const out = join(folder, "out");
    const { code } = await runHostProgram([
      ...["/usr/bin/xorriso", "-osirrox", "on", "-indev", disc, "-extract", "/", out],
    ]);
    expect(code).toBe(0);
    expect((await readdir(out, { recursive: true })).sort()).toEqual([
      "ale",
      "ale/ale-serve.exe",
      "ale/node",
      "ale/node/bin",
      "ale/node/bin/node.exe",
      "ale/setup",
      "ale/setup/SetupComplete.cmd",
      "ale/setup/finish.ps1",
      "autounattend.xml",
    ]);
    const answers = await readFile(join(out, "autounattend.xml"), "utf8");
    const passwords = [...answers.matchAll(/<Value>(Aa1-[^<]*)<\/Value>/g)].map(([, word]) => word);
    expect(new Set(passwords).size).toBe(2);
    const script = await readFile(join(out, "ale", "setup", "finish.ps1"), "utf8");
    expect(script.replaceAll("\r\n", "")).not.toContain("\n");
    expect(await readdir(folder)).not.toContain("answers");
  });
});
