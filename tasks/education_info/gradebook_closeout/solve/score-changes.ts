import type { Mark } from "../book.ts";
import { latePoints } from "../late-points.ts";
import type { Mail, Papers } from "./read-papers.ts";

/** What is to be entered for one student's work. */
export interface Entry {
  readonly points: string;
  readonly mark: Mark;
}

/** Entries by assignment name, then by student number. */
export type Entries = Map<string, Map<string, Entry>>;

/** As the gradebook shows it. */
export interface ShownStudent {
  readonly number: string;
  readonly name: string;
}

const work = "((?:Homework|Quiz) \\d+|Midterm|Project|Final exam)";
const person = "(.+?)(?: \\(\\d+\\))?";

/** Everything the papers say about scores, of which later sources overrule earlier ones. */
export function scoreChanges(
  papers: Papers,
  students: readonly ShownStudent[],
  possible: ReadonlyMap<string, number>,
): Entries {
  const entries: Entries = new Map();
  const set = (assignment: string, student: string, points: number | string, mark: Mark = ""): void => {
    const own = entries.get(assignment) ?? new Map<string, Entry>();
    own.set(student, { points: String(points), mark });
    entries.set(assignment, own);
  };
  const numberOf = (name: string): string => {
    const [given = "", ...family] = name.split(" ");
    const found = students.find((one) => one.name === `${family.join(" ")}, ${given}`);
    if (found === undefined) throw new Error(`nobody is called ${name}`);
    return found.number;
  };
  const extensions = new Map<string, number>();
  for (const [, days = "", who = "", what = ""] of said(
    papers.mail,
    `I gave ${person} an extension of (\\d+) days? for ${work}\\.`,
    [2, 1, 3],
  )) {
    extensions.set(`${numberOf(who)} ${what}`, Number(days));
  }
  for (const row of papers.late) {
    const [number = "", what = ""] = [row["student_number"], row["assignment"]];
    const extension = extensions.get(`${number} ${what}`) ?? 0;
    set(
      what,
      number,
      latePoints(Number(row["points"]), possible.get(what) ?? 0, Number(row["days_late"]), extension),
    );
  }
  for (const row of papers.exams.toSorted(
    (first, second) => Number(first["marking"]) - Number(second["marking"]),
  )) {
    const known = students.find(({ number }) => number === row["student_number"]);
    const number = (known ?? students.find(({ name }) => name === row["name"]))?.number ?? "";
    const parts = ["part_a", "part_b", "part_c", "part_d"].map((part) => Number(row[part]));
    set(
      "Final exam",
      number,
      parts.reduce((sum, part) => sum + part, 0),
    );
  }
  for (const [, what = "", who = "", points = ""] of said(
    papers.mail,
    `through ${work} of ${person} once more\\. It is worth (\\d+) points`,
  )) {
    set(what, numberOf(who), points);
  }
  for (const [, who = "", what = ""] of said(
    papers.mail,
    `^${person} was ill on the day of ${work};.*Please excuse`,
  )) {
    set(what, numberOf(who), "", "excused");
  }
  for (const [, what = "", who = ""] of said(
    papers.mail,
    `found that ${work} of ${person} was copied\\. The score is 0`,
  )) {
    set(what, numberOf(who), 0, "keep");
  }
  for (const who of deferred(papers)) set("Final exam", numberOf(who), "", "excused");
  return entries;
}

/** Names of those whose final exam the registrar has put off. */
export function deferred(papers: Papers): readonly string[] {
  return said(papers.mail, `^${person} may sit the final exam of .* next term`).map(([, who = ""]) => who);
}

/** The mails that match, with their groups in the order given. */
function said(
  mail: readonly Mail[],
  pattern: string,
  order?: readonly number[],
): readonly (readonly string[])[] {
  return mail.flatMap(({ body }) => {
    const match = new RegExp(pattern).exec(body);
    if (match === null) return [];
    return [order === undefined ? [...match] : [match[0], ...order.map((index) => match[index] ?? "")]];
  });
}
