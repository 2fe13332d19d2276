import type { Random } from "ale/contract/random";
import type { Assignment, Book, Mark, Score, Student } from "../book.ts";
import type { Attendance, Decision, ExamRow, LateWork, RegistrarRow } from "../decision.ts";
import { latePoints } from "../late-points.ts";
import { attendsWell, letterOf } from "../letter.ts";
import type { Params } from "../params.ts";
import { formatTenths, percentTenths } from "../percent.ts";
import { castStudents } from "./cast.ts";
import { type Course, makeCourse } from "./make-course.ts";
import { examSheet } from "./mark-exams.ts";

/** A term: the gradebook as it is found, as it must be left, and the papers between the two. */
export interface Term {
  readonly initial: Book;
  readonly expected: Book;
  readonly decisions: readonly Decision[];
  readonly late: readonly LateWork[];
  readonly exams: readonly ExamRow[];
  readonly registrar: readonly RegistrarRow[];
  readonly attendance: readonly Attendance[];
}

type Cells = Record<string, Record<string, Score>>;

const held = 28;

export function makeTerm(random: Random, params: Params): Term {
  const course = makeCourse(random);
  const people = castStudents(random, params.students);
  const draft = new TermDraft(random, course, people);
  draft.plan(params.decisions);
  return draft.finish(`${params.course}, ${params.term}`);
}

class TermDraft {
  readonly #random: Random;
  readonly #course: Course;
  readonly #people: readonly { number: string; name: string }[];
  readonly #before: Cells = {};
  readonly #after: Cells = {};
  readonly #decisions: Decision[] = [];
  readonly #late: LateWork[] = [];
  readonly #registrar: RegistrarRow[] = [];
  readonly #attendance = new Map<string, number>();
  readonly #withdrawn = new Set<string>();
  readonly #deferred = new Set<string>();
  readonly #absent = new Set<string>();
  readonly #borderline = new Set<string>();
  readonly #exam: Assignment;

  constructor(random: Random, course: Course, people: readonly { number: string; name: string }[]) {
    this.#random = random;
    this.#course = course;
    this.#people = people;
    this.#exam = course.assignments.at(-1) as Assignment;
    for (const { number } of people) {
      const ability = Math.min(0.96, Math.max(0.55, random.normal(0.79, 0.1)));
      this.#before[number] = {};
      this.#after[number] = {};
      for (const { id, points } of course.assignments) {
        const share = Math.min(1, Math.max(0.2, random.normal(ability, 0.08)));
        this.#set(number, id, Math.round(points * share), Math.round(points * share));
      }
      this.#set(number, this.#exam.id, null, this.#after[number][this.#exam.id]?.points ?? 0);
      this.#attendance.set(number, random.integer(19, held));
    }
  }

  #set(student: string, id: number, before: number | null, after: number | null, mark: Mark = ""): void {
    this.#before[student] = { ...this.#before[student], [id]: { points: before, mark: "" } };
    this.#after[student] = { ...this.#after[student], [id]: { points: after, mark } };
  }

  /** Gives every kind of case to `count` students of its own. */
  plan(count: number): void {
    const random = this.#random;
    const queue = random.shuffle(this.#people.map(({ number }) => number));
    const take = (many: number): readonly string[] => queue.splice(0, many);
    const homework = (): Assignment =>
      random.pick(this.#course.assignments.filter(({ category }) => category === 1));
    const quiz = (): Assignment =>
      random.pick(this.#course.assignments.filter(({ category }) => category === 2));
    for (const student of take(count)) {
      this.#withdrawn.add(student);
      this.#registrar.push({ student, entry: this.#entry(), change: "withdrawal" });
      this.#set(student, this.#exam.id, null, null);
    }
    for (const [index, student] of take(count).entries()) {
      const days = random.integer(1, 3);
      // Every other one comes in later than even the extension allows.
      this.#handInLate(student, homework(), days + (index % 2), days);
    }
    for (const student of take(count)) {
      const work = homework();
      this.#handInLate(student, work, random.integer(1, 3), 0);
      this.#decisions.push({ kind: "no-extension", student, assignment: work.id });
    }
    for (const student of take(count)) this.#handInLate(student, homework(), random.integer(1, 5), 0);
    for (const student of take(count)) this.#regrade(student, random.pick([homework(), quiz()]));
    for (const student of take(count)) {
      const work = quiz();
      this.#set(student, work.id, null, null, "excused");
      this.#decisions.push({ kind: "excuse", student, assignment: work.id });
    }
    for (const student of take(count)) {
      const work = quiz();
      this.#set(student, work.id, null, 0);
      this.#decisions.push({ kind: "no-excuse", student, assignment: work.id });
    }
    for (const student of take(count)) this.#borderline.add(student);
    const [cheat = "", deferred = "", absent = "", returned = "", silent = ""] = take(5);
    const copied = homework();
    this.#set(cheat, copied.id, this.#before[cheat]?.[copied.id]?.points ?? 0, 0, "keep");
    this.#decisions.push({ kind: "misconduct", student: cheat, assignment: copied.id });
    this.#deferred.add(deferred);
    this.#set(deferred, this.#exam.id, null, null, "excused");
    this.#decisions.push({ kind: "deferral", student: deferred });
    this.#absent.add(absent);
    this.#set(absent, this.#exam.id, null, 0);
    this.#registrar.push({ student: returned, entry: this.#entry(), change: "withdrawal" });
    this.#registrar.push({ student: returned, entry: this.#entry(), change: "withdrawal cancelled" });
    this.#registrar.push({ student: silent, entry: this.#entry(), change: "change of major" });
    this.#decisions.push({ kind: "no-regrade", student: silent, assignment: quiz().id });
    const forgotten = homework();
    this.#set(silent, forgotten.id, null, 0);
  }

  #entry(): number {
    return this.#registrar.length + 1;
  }

  #handInLate(student: string, work: Assignment, days: number, extension: number): void {
    const points = Math.max(8, this.#after[student]?.[work.id]?.points ?? 0);
    this.#set(student, work.id, null, latePoints(points, work.points, days, extension));
    this.#late.push({ student, assignment: work.id, points, days });
    if (extension > 0)
      this.#decisions.push({ kind: "extension", student, assignment: work.id, days: extension });
  }

  #regrade(student: string, work: Assignment): void {
    const from = this.#before[student]?.[work.id]?.points ?? 0;
    const step = this.#random.integer(1, 2);
    const to = from + step <= work.points && this.#random.next() < 0.7 ? from + step : from - step;
    this.#set(student, work.id, from, to);
    this.#decisions.push({ kind: "regrade", student, assignment: work.id, from, to });
  }

  finish(title: string): Term {
    const students = this.#people
      .map(({ number, name }): Student => ({ number, name, status: "enrolled", letter: "", percent: "" }))
      .sort((first, second) => (first.number < second.number ? -1 : 1));
    const { assignments, categories, oldCategories } = this.#course;
    const initial: Book = {
      title,
      status: "open",
      categories: oldCategories,
      assignments,
      students,
      scores: this.#before,
    };
    const open: Book = { ...initial, categories, scores: this.#after };
    for (const [index, student] of [...this.#borderline].entries())
      this.#tune(open, student, index % 2 === 0);
    const expected: Book = {
      ...open,
      status: "closed",
      students: students.map((one) => this.#final(open, one)),
    };
    const sitting = students.filter(
      ({ number }) => ![this.#withdrawn, this.#deferred, this.#absent].some((set) => set.has(number)),
    );
    return {
      initial,
      expected,
      decisions: this.#random.shuffle(this.#decisions),
      late: this.#random.shuffle(this.#late),
      exams: examSheet(
        this.#random,
        sitting.map(({ number, name }) => ({
          number,
          name,
          total: this.#after[number]?.[this.#exam.id]?.points ?? 0,
        })),
      ),
      registrar: this.#registrar,
      attendance: students.map(({ number }) => ({
        student: number,
        attended: this.#attendance.get(number) ?? 0,
        held,
      })),
    };
  }

  /** Moves the exam, where that is possible, so that the percentage falls within half a point below a cutoff. */
  #tune(book: Book, student: string, attends: boolean): void {
    this.#attendance.set(student, attends ? 27 : 25);
    for (let total = 95; total >= 40; total--) {
      this.#set(student, this.#exam.id, null, total);
      const tenths = percentTenths(book, student) ?? 0;
      if (tenths >= 600 - 5 && tenths < 900 && tenths % 100 >= 95) return;
    }
  }

  #final(book: Book, student: Student): Student {
    const { number } = student;
    if (this.#withdrawn.has(number)) return { ...student, status: "withdrawn", letter: "W" };
    const tenths = percentTenths(book, number) ?? 0;
    const attends = attendsWell(this.#attendance.get(number) ?? 0, held);
    const letter = this.#deferred.has(number) ? "I" : letterOf(tenths, attends);
    return { ...student, letter, percent: formatTenths(tenths) };
  }
}
