import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { scriptFileSchema } from "../../contract/script-file.ts";
import type { ScriptStep, ScriptTurn } from "./script.ts";
import { scriptFromFile } from "./script-from-file.ts";
import { readScriptFile } from "./start-scripted-model.ts";

const file = scriptFileSchema.parse({
  schema: "ale/script@1",
  rules: [
    {
      when: "ledger",
      commands: ["one", "two"],
      done_when: "ALL GOOD",
      last_words: "CLAIM: done",
      failed_words: "CLAIM: could-not",
      usage: { input: 10 },
      faults: [
        { kind: "error", before: 1, times: 2, status: 429, retry_after_seconds: 3 },
        { kind: "cut", before: 2, after: 4 },
      ],
    },
    { last_words: "I cannot." },
  ],
});

function turn(said: string, results: readonly string[], tools: readonly string[] = ["run"]): ScriptTurn {
  return {
    index: 0,
    wire: "openai-chat",
    model: "m",
    stream: true,
    tools: tools.map((name) => ({ name, schema: { properties: { command: { type: "string" } } } })),
    results: results.map((text) => ({ callId: "c", text, images: 0 })),
    prompt: said,
    said,
  };
}

const words = (step: ScriptStep): string | undefined => ("text" in step ? step.text : undefined);

describe("a script in a file", () => {
  test("runs its commands in order, and says at the end whether the work is done", () => {
    const script = scriptFromFile(
      scriptFileSchema.parse({ ...file, rules: [{ ...file.rules[0], faults: [] }] }),
    );
    expect(script(turn("the ledger", []))).toMatchObject({
      toolCalls: [{ name: "run", arguments: { command: "one" } }],
      usage: { input: 10 },
    });
    expect(script(turn("the ledger", ["x"]))).toMatchObject({
      toolCalls: [{ arguments: { command: "two" } }],
    });
    expect(words(script(turn("the ledger", ["x", "ALL GOOD"])))).toBe("CLAIM: done");
    expect(words(script(turn("the ledger", ["ALL GOOD", "no"])))).toBe("CLAIM: could-not");
    expect(words(script(turn("the ledger", [], ["Read"])))).toBe("CLAIM: could-not");
  });

  test("puts into its commands what it found in the task", () => {
    const when = "for (?<month>\\d{4}-\\d\\d)";
    const rule = { when, commands: ["close {{month}} {{other}}"], last_words: "" };
    const script = scriptFromFile(scriptFileSchema.parse({ schema: "ale/script@1", rules: [rule] }));
    expect(script(turn("Books for 2026-03.", []))).toMatchObject({
      toolCalls: [{ arguments: { command: "close 2026-03 {{other}}" } }],
    });
  });

  test("takes the first rule that fits, and says so where none does", () => {
    expect(words(scriptFromFile(file)(turn("another thing", [])))).toBe("I cannot.");
    const strict = scriptFromFile({ ...file, rules: file.rules.slice(0, 1) });
    expect(words(strict(turn("another thing", [])))).toMatch(/says nothing of/);
  });

  test("puts its faults in where they belong, as often as they are told to", () => {
    const script = scriptFromFile(file);
    expect(script(turn("ledger", []))).toMatchObject({ kind: "answer" });
    const error = { kind: "error", status: 429, retryAfterSeconds: 3 };
    expect([1, 2, 3].map(() => script(turn("ledger", ["x"])))).toMatchObject([
      error,
      error,
      { kind: "answer" },
    ]);
    expect(script(turn("ledger", ["x", "ALL GOOD"]))).toMatchObject({ text: "CLAIM: done", cutAfter: 4 });
    expect(script(turn("ledger", ["x", "ALL GOOD"]))).not.toHaveProperty("cutAfter");
  });

  test("is read strictly, with the place of every mistake", async () => {
    const dir = await mkdtemp(join(tmpdir(), "ale-script-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const path = join(dir, "script.yaml");
    await writeFile(path, "schema: ale/script@1\nrules:\n  - when: '('\n    last_word: x\n");
    await expect(readScriptFile(path)).rejects.toMatchObject({
      code: "bad-script-file",
      message: expect.stringMatching(/3:\d+[\s\S]*regular expression|last_words/),
    });
    await expect(readScriptFile(join(dir, "absent.yaml"))).rejects.toMatchObject({ code: "no-such-file" });
  });
});
