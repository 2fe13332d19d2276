import { describe, expect, test } from "vitest";
import type { ConformanceTarget } from "./conformance-case.ts";
import { type ConformanceSkips, conformanceCases, runCase } from "./run-conformance.ts";

export interface SandboxConformanceOptions {
  /** Case name to the reason it is skipped. A name no case has is an error. */
  readonly skips?: ConformanceSkips;
}

/** The suite as tests of Vitest: one per behaviour. @param target asked for when the first case runs. */
export function sandboxConformance(
  title: string,
  target: () => ConformanceTarget,
  options: SandboxConformanceOptions = {},
): void {
  const skips = options.skips ?? {};
  describe(title, () => {
    test("skips name cases of the suite", () => {
      const names = new Set(conformanceCases.map((entry) => entry.name));
      expect(Object.keys(skips).filter((name) => !names.has(name))).toEqual([]);
    });
    for (const { name, run } of conformanceCases) {
      test.skipIf(skips[name] !== undefined)(name, () => runCase(target(), run));
    }
  });
}
