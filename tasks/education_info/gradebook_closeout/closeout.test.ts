import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Book } from "./book.ts";
import { generate } from "./generate/generate.ts";
import { makeTerm } from "./generate/make-term.ts";
import { grade } from "./grade/grade.ts";
import { latePoints } from "./late-points.ts";
import { letterOf } from "./letter.ts";
import { formatTenths } from "./percent.ts";
import { readDatabase } from "./read-database.ts";
import { writeDatabase } from "./write-database.ts";

const params = { course: "ECON 214", term: "autumn 2026", students: 26, decisions: 2 };
const folder = mkdtempSync(join(tmpdir(), "ale-closeout-"));
afterAll(() => rmSync(folder, { recursive: true }));

function place(name: string): string {
  return mkdtempSync(join(folder, `${name}-`));
}

const about = { instance: "education_info/gradebook_closeout@test", params, seed: 7 };
const [input, reference] = [place("input"), place("reference")];
generate({ ...about, input, reference, random: createRandom(7) });
const { initial, expected } = makeTerm(createRandom(7), params);

async function scoreOf(book: Book): Promise<number> {
  const artifacts = place("artifacts");
  writeFileSync(join(artifacts, "gradebook.json"), JSON.stringify(book));
  const rows = expected.students.map((one) => `${one.number},"${one.name}",${one.percent},${one.letter}\n`);
  writeFileSync(join(artifacts, "final_grades.csv"), `student_number,name,percent,grade\n${rows.join("")}`);
  return (await grade({ ...about, artifacts, input, reference, scratch: folder })).score;
}

describe("the gradebook", () => {
  test("is read back from its database as it was written", () => {
    const path = join(place("database"), "book.db");
    writeDatabase(path, expected);
    expect(readDatabase(path)).toEqual(expected);
  });

  test("scores 1 as it should be left, and 0 as it was found", async () => {
    expect(await scoreOf(expected)).toBe(1);
    expect(await scoreOf({ ...initial, status: "closed" })).toBeCloseTo(0.1);
    expect(await scoreOf(initial)).toBe(0);
  });

  test("loses points for any one score or grade that is not right", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 5 }), async (who, what, by) => {
        const { number } = expected.students[who % expected.students.length] ?? { number: "" };
        const { id } = expected.assignments[what % expected.assignments.length] ?? { id: 0 };
        const own = expected.scores[number] ?? {};
        const cell = own[id] ?? { points: null, mark: "" };
        const wrong = { ...cell, points: (cell.points ?? 0) + by };
        const book = { ...expected, scores: { ...expected.scores, [number]: { ...own, [id]: wrong } } };
        const score = await scoreOf(book);
        expect(score).toBeLessThan(1);
        expect(score).toBeGreaterThan(0.9);
      }),
      { numRuns: 20 },
    );
  });
});

test("any seed gives a term with every kind of case, and grades on both sides of the borderline rule", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const term = makeTerm(createRandom(seed), params);
      const letters = new Set(term.expected.students.map(({ letter }) => letter));
      expect([...letters]).toEqual(expect.arrayContaining(["W", "I"]));
      const numbers = new Set(term.initial.students.map(({ number }) => number));
      expect(numbers.size).toBe(params.students);
      expect(term.exams.filter(({ number }) => !numbers.has(number))).toHaveLength(1);
      const kinds = new Set(term.decisions.map(({ kind }) => kind));
      expect(kinds.size).toBe(8);
    }),
    { numRuns: 25 },
  );
});

test("every mail begins with who writes and what about", () => {
  const mail = readFileSync(join(input, "mail", "01.txt"), "utf8");
  expect(mail).toMatch(/^From: .+\nSubject: .+\n\n/);
});

test.each([
  [18, 20, 1, 0, 16],
  [18, 20, 4, 0, 0],
  [18, 20, 4, 3, 16],
  [3, 20, 2, 0, 0],
  [18, 20, 2, 3, 18],
])("%i of %i points, %i days late with %i granted, earn %i", (earned, possible, days, extension, points) => {
  expect(latePoints(earned, possible, days, extension)).toBe(points);
});

test.each([
  [900, false, "A"],
  [899, false, "B"],
  [895, true, "A"],
  [894, true, "B"],
  [595, true, "D"],
  [0, true, "F"],
])("%i tenths, attending well: %s, is a grade of %s", (tenths, attends, letter) => {
  expect(letterOf(tenths, attends)).toBe(letter);
});

test("a percentage has one decimal, always", () => {
  expect([formatTenths(1000), formatTenths(875), formatTenths(9)]).toEqual(["100.0", "87.5", "0.9"]);
});
