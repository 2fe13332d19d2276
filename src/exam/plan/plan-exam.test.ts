import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { examFileSchema } from "../../contract/exam-file.ts";
import { type ExamPlan, examPlanSchema } from "../../contract/exam-plan.ts";
import { createRandom } from "../../contract/random.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { createMemoryTask } from "../../testing/memory-task.ts";
import { admissionOrder } from "./admission-order.ts";
import { planExam } from "./plan-exam.ts";
import { wantedInstances } from "./wanted-instances.ts";

const packages = [
  createMemoryTask({ id: "legal/audit", dir: "/a", variants: ["base", "large"] }),
  createMemoryTask({ id: "computing_math/sum", dir: "/b", variants: ["base"] }),
];

function plan(exam: Readonly<Record<string, unknown>>): ExamPlan {
  const file = examFileSchema.parse({
    schema: "ale/exam@1",
    name: "weekly",
    contestants: [{ harness: "nop" }],
    ...exam,
  });
  return planExam({ file, packages, clock: createFixedClock() });
}

describe("planExam", () => {
  test("multiplies contestants, instances and repeats out, and fits its own schema", () => {
    const made = plan({
      contestants: [{ harness: "codex", model: ["a", "b"], effort: ["low", "high"] }, { harness: "nop" }],
      repeats: 3,
    });
    expect(made.contestants.map(({ name }) => name)).toEqual([
      "codex:a:low",
      "codex:a:high",
      "codex:b:low",
      "codex:b:high",
      "nop",
    ]);
    expect(made.trials).toHaveLength(5 * 3 * 3);
    expect(new Set(made.trials.map(({ id }) => id)).size).toBe(45);
    expect(examPlanSchema.parse(JSON.parse(JSON.stringify(made)))).toEqual(made);
  });

  test("gives the same order for the same seed, another for another", () => {
    const ids = (seed: number): string[] => plan({ seed, repeats: 5 }).trials.map(({ id }) => id);
    expect(ids(7)).toEqual(ids(7));
    expect(ids(7)).not.toEqual(ids(8));
    expect(ids(7).sort()).toEqual(ids(8).sort());
  });

  test("names a contestant with several models by its name and what varies", () => {
    const made = plan({
      contestants: [{ name: "mine", harness: "codex", model: ["a", "b"], effort: "low" }],
    });
    expect(made.contestants.map(({ name }) => name)).toEqual(["mine:a", "mine:b"]);
  });

  test("refuses two contestants of one name", () => {
    expect(() => plan({ contestants: [{ harness: "nop" }, { harness: "nop" }] })).toThrow("two contestants");
  });

  test("refuses a pattern that fits no instance", () => {
    expect(() => plan({ tasks: { include: ["legal/nothing"] } })).toThrow("legal/nothing");
  });

  test("leaves a draft out of what globs name, and takes it where it is named in full", () => {
    const marks = [{ name: "title", wanted: "the work", path: "task.yaml", line: 4, column: 8 }];
    const draft = createMemoryTask({ id: "legal/draft", dir: "/d", marks });
    const wanted = (...include: string[]): ReturnType<typeof wantedInstances> =>
      wantedInstances([...packages, draft], { include, exclude: [] });
    const ids = (...include: string[]): string[] =>
      wanted(...include).instances.map(({ instance }) => instance.id);
    expect(ids("legal/*")).toEqual(["legal/audit@base", "legal/audit@large"]);
    expect(wanted("legal/*").findings).toMatchObject([
      {
        severity: "warning",
        code: "draft-left-out",
        message: "legal/draft is a draft and left out: still to fill in: title at task.yaml:4",
      },
    ]);
    expect(wanted("computing_math/*").findings).toEqual([]);
    expect(ids("legal/draft")).toEqual(["legal/draft@small"]);
    expect(ids("legal/draft@small")).toEqual(["legal/draft@small"]);
    expect(wanted("legal/draft").findings).toMatchObject([{ severity: "warning", code: "draft-taken" }]);
    expect(() => wanted("legal/d*")).toThrow(
      /legal\/draft is a draft and left out: .* title at task\.yaml:4/,
    );
  });

  test("refuses two packages that claim one instance", () => {
    const file = examFileSchema.parse({ schema: "ale/exam@1", name: "x", contestants: [{ harness: "nop" }] });
    const twice = [...packages, createMemoryTask({ id: "legal/audit", dir: "/c", variants: ["base"] })];
    expect(() => planExam({ file, packages: twice, clock: createFixedClock() })).toThrow("two packages");
  });

  test("makes ids that are safe and unique for any contestants' names", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }), (names) => {
        const made = plan({ contestants: names.map((name) => ({ name, harness: "nop" })) });
        const ids = made.trials.map(({ id }) => id.toLowerCase());
        expect(new Set(ids).size).toBe(ids.length);
        for (const { id } of made.trials) expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/);
      }),
    );
  });
});

test("admission is a permutation in which no contestant is ever more than one trial ahead of another", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(12), fc.nat(), (people, cases, seed) => {
      const names = Array.from({ length: people }, (_, index) => `c${index}`);
      const order = admissionOrder(
        names,
        (name) => Array.from({ length: cases }, (_, index) => ({ name, index })),
        createRandom(seed),
      );
      expect(new Set(order.map(({ name, index }) => `${name}/${index}`)).size).toBe(people * cases);
      const counts = new Map(names.map((name) => [name, 0]));
      for (const { name } of order) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
      }
    }),
  );
});
