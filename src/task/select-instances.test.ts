import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instanceGlob } from "./instance-glob.ts";
import { selectInstances } from "./select-instances.ts";
import type { TaskPackage } from "./task-package.ts";

function packageOf(id: string, variants: readonly string[]): TaskPackage {
  const instances = variants.map((variant) => ({ id: `${id}@${variant}`, variant, seed: 0, params: {} }));
  return { manifest: { id }, instances } as unknown as TaskPackage;
}

const packages = [packageOf("legal/audit", ["base", "large"]), packageOf("computing/triage", ["base"])];

function select(include: readonly string[], exclude: readonly string[] = []): readonly string[] {
  return selectInstances(packages, { include, exclude }).instances.map(({ instance }) => instance.id);
}

describe("selecting instances", () => {
  test("a pattern without a variant takes all variants, in order of id", () => {
    expect(select(["**"])).toEqual(["computing/triage@base", "legal/audit@base", "legal/audit@large"]);
    expect(select(["legal/*"])).toEqual(["legal/audit@base", "legal/audit@large"]);
  });

  test("braces, variants and exclusions work together", () => {
    expect(select(["{legal,nothing}/*@l*"])).toEqual(["legal/audit@large"]);
    expect(select(["**@base"], ["legal/audit"])).toEqual(["computing/triage@base"]);
  });

  test.each([
    ["legal/audti", "did you mean legal/audit?"],
    ["audit", "did you mean legal/audit?"],
    ["legal/audit@bse", "did you mean legal/audit@base?"],
    ["leagl/*", "did you mean legal/*?"],
    ["zzzzzz", "see `ale tasks ls` for the instances there are"],
  ])("the pattern %s matches nothing and says what may be meant", (pattern, remedy) => {
    const { findings } = selectInstances(packages, { include: [pattern], exclude: [] });
    expect(findings).toEqual([
      {
        severity: "error",
        code: "pattern-matches-nothing",
        message: `no instance matches ${pattern}`,
        remedy,
      },
    ]);
  });

  test("every id matches itself, and no pattern is an invalid expression", () => {
    const id = fc.stringMatching(/^[a-z]{1,8}\/[a-z_]{1,8}@[a-z0-9-]{1,6}$/);
    fc.assert(fc.property(id, (text) => instanceGlob(text)(text)));
    fc.assert(
      fc.property(fc.string(), id, (pattern, text) => typeof instanceGlob(pattern)(text) === "boolean"),
    );
  });
});
