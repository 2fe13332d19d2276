import { describe, expect, test } from "vitest";
import { definedVerbs } from "./defined-verbs.ts";

describe("the parts that a program may define", () => {
  test.each<[string, string, readonly string[]]>([
    ["written out", "export default defineTask({ grade() {}, solve() {} });", ["grade", "solve"]],
    ["with type arguments", "defineTask<{ rows: number }>({ grade, generate })", ["generate", "grade"]],
    [
      "with spreads elsewhere",
      "defineTask({ grade() { return Math.max(...[1], ...rows); }, solve })",
      ["grade", "solve"],
    ],
    ["with odd texts", "const note = 'a } b'; /* { */ defineTask({ grade: () => `}${1}` })", ["grade"]],
    ["with probes", "defineTask({ grade, probes: [] })", ["grade", "probe"]],
    ["named in a comment only", "// no setup here\ndefineTask({ grade })", ["grade", "setup"]],
    [
      "spread in",
      "defineTask({ ...base, grade })",
      ["collect", "generate", "grade", "probe", "setup", "solve"],
    ],
    ["made elsewhere", "defineTask(definition)", ["collect", "generate", "grade", "probe", "setup", "solve"]],
    [
      "never closed",
      "defineTask({ grade: /[{]/ ",
      ["collect", "generate", "grade", "probe", "setup", "solve"],
    ],
  ])("%s", (_case, source, verbs) => {
    expect([...definedVerbs(source)].sort()).toEqual(verbs);
  });
});
