import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inputCases } from "./input-cases.ts";
import { pictureCases } from "./picture-cases.ts";
import type { ScreenCase, ScreenTarget } from "./screen-case.ts";
import { textCases } from "./text-cases.ts";

/** Every behaviour asked of a screen. */
export const screenCases: readonly ScreenCase[] = [...pictureCases, ...inputCases, ...textCases];

export interface ScreenConformanceOptions {
  /** Case name to why this screen cannot have the behaviour. A name no case has is an error. */
  readonly skips?: Readonly<Record<string, string>>;
}

/** The suite as tests of Vitest: one per behaviour, all on one screen. @param open asked for before the first case. */
export function screenConformance(
  title: string,
  open: () => Promise<ScreenTarget>,
  options: ScreenConformanceOptions = {},
): void {
  const skips = options.skips ?? {};
  describe(title, () => {
    let target: ScreenTarget;
    beforeAll(async () => {
      target = await open();
    });
    afterAll(() => target?.[Symbol.asyncDispose]());
    test("skips name cases of the suite", () => {
      const names = new Set(screenCases.map((entry) => entry.name));
      expect(Object.keys(skips).filter((name) => !names.has(name))).toEqual([]);
    });
    for (const { name, run } of screenCases) {
      test.skipIf(skips[name] !== undefined)(name, () => run(target));
    }
    test("a screen that is closed says so", async () => {
      await target.screen[Symbol.asyncDispose]();
      await expect(target.screen.screenshot()).rejects.toMatchObject({ code: "screen-gone" });
    });
  });
}
