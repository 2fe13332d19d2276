import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import { type ExamFile, examFileSchema } from "../contract/exam-file.ts";
import { taskManifestSchema } from "../contract/task-manifest.ts";
import { parseYamlFile } from "./parse-yaml-file.ts";

const exam = `schema: ale/exam@1
name: nightly
contestants:
  - harness: command
    settings: { argv: [python3, agent.py] }
tasks:
  include: ["legal/*"]
`;

function faults(
  text: string,
): readonly (readonly [string, number | undefined, string, string | undefined])[] {
  const parsed = parseYamlFile<ExamFile>({ path: "exam.yaml", text, schema: examFileSchema });
  if (parsed.kind === "ok") return [];
  return parsed.findings.map(({ code, line, message, remedy }) => [code, line, message, remedy] as const);
}

describe("a YAML file", () => {
  test("is read with its defaults, and gives the places of its parts", () => {
    const parsed = parseYamlFile<ExamFile>({ path: "exam.yaml", text: exam, schema: examFileSchema });
    if (parsed.kind !== "ok") throw new RangeError(JSON.stringify(parsed.findings));
    expect(parsed.value).toMatchObject({ repeats: 1, tasks: { roots: ["tasks"], include: ["legal/*"] } });
    expect(parsed.places.find(["tasks", "include", 0])).toEqual({ path: "exam.yaml", line: 7, column: 13 });
    expect(parsed.places.find(["tasks", "exclude", 3])).toEqual({ path: "exam.yaml", line: 6, column: 1 });
  });

  test.each<[string, string, readonly unknown[]]>([
    [
      "a key in the wrong place",
      `${exam}include: []\n`,
      [
        "unknown-key",
        8,
        "include is not a key that belongs here",
        expect.stringContaining("the keys that may stand here: schema, name"),
      ],
    ],
    [
      "a key close to another",
      exam.replace("harness:", "harnes:"),
      ["unknown-key", 4, "contestants[0].harnes is not a key that belongs here", "did you mean harness?"],
    ],
    [
      "a word of a union",
      `${exam}scoring: observd\n`,
      [
        "invalid-value",
        8,
        "scoring is observd, but must be observed, ale-missing-zero or a map of keys",
        "did you mean observed?",
      ],
    ],
    [
      "an effort in a list",
      exam.replace("settings", "effort: [low, hihg]\n    settings"),
      [
        "invalid-value",
        5,
        expect.stringContaining("contestants[0].effort[1] is hihg, but must be none, minimal, low"),
        "did you mean high?",
      ],
    ],
    [
      "a number in quotes",
      `${exam}repeats: "1"\n`,
      ["wrong-type", 8, 'repeats is "1" (a string), but must be a number', undefined],
    ],
    [
      "a fraction for a count",
      `${exam}repeats: 1.5\n`,
      ["wrong-type", 8, "repeats is 1.5, but must be a whole number", undefined],
    ],
    [
      "a value that is too large",
      `${exam}repeats: 5000\n`,
      ["invalid-value", 8, "repeats is 5000, but must be at most 1000", undefined],
    ],
    [
      "nothing where a list belongs",
      exam.replace(/contestants:[\s\S]*tasks:/, "contestants:\ntasks:"),
      ["wrong-type", 3, "contestants is empty, but must be a list", undefined],
    ],
    [
      "a list for the whole",
      "- a\n- b\n",
      ["wrong-type", 1, expect.stringContaining("the file is"), undefined],
    ],
    [
      "two documents",
      `${exam}---\nname: b\n`,
      ["yaml-syntax", 8, expect.any(String), expect.stringContaining("one document")],
    ],
    [
      "an unknown tag",
      exam.replace("nightly", "!env NAME"),
      ["unknown-tag", 2, expect.any(String), "write the value without a tag"],
    ],
  ])("with %s is explained", (_case, text, expected) => {
    expect(faults(text)[0]).toEqual(expected);
  });

  test("of any text gives a value or findings within the file, never a throw", () => {
    const piece = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "- ",
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      "&x ",
      "*x",
      "!t ",
      "\t",
      "|",
      ">",
      "#",
      "? ",
      "---\n",
      "schema: ale/task@1\n",
      "<<: ",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (source) => {
        const parsed = parseYamlFile({ path: "task.yaml", text: source, schema: taskManifestSchema });
        if (parsed.kind === "ok") throw new RangeError("no random text is a manifest");
        const lines = source.split("\n").length;
        for (const { line } of parsed.findings) expect(line).toBeLessThanOrEqual(lines + 1);
        expect(parsed.findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  test("that one fault breaks a thousand times is told in few findings", () => {
    const text = `a: ${"[".repeat(20_000)}\n`;
    const parsed = parseYamlFile({ path: "x.yaml", text, schema: z.json() });
    expect(parsed.kind === "malformed" && parsed.findings.length).toBe(10);
  });

  test("written by a program is read as it was meant", () => {
    const schema = z.record(z.string(), z.json());
    const key = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })), (value) => {
        const text = JSON.stringify(value);
        // Which no key of ours is, and which schemas leave out for the sake of safety.
        fc.pre(!text.includes('"__proto__"'));
        const plain = JSON.parse(text) as unknown;
        expect(parseYamlFile({ path: "x.yaml", text: stringify(plain), schema })).toMatchObject({
          kind: "ok",
          value: plain,
        });
      }),
    );
  });
});
