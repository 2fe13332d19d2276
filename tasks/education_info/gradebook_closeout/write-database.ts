import { DatabaseSync } from "node:sqlite";
import type { Book } from "./book.ts";

const schema = `
CREATE TABLE section (title TEXT NOT NULL, status TEXT NOT NULL);
CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight INTEGER NOT NULL, drop_lowest INTEGER NOT NULL);
CREATE TABLE assignment (
  id INTEGER PRIMARY KEY, category_id INTEGER NOT NULL REFERENCES category, name TEXT NOT NULL, points INTEGER NOT NULL);
CREATE TABLE student (
  number TEXT PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL, letter TEXT NOT NULL, percent TEXT NOT NULL);
CREATE TABLE score (
  student TEXT NOT NULL REFERENCES student, assignment_id INTEGER NOT NULL REFERENCES assignment, points INTEGER,
  mark TEXT NOT NULL, PRIMARY KEY (student, assignment_id));
`;

/** Makes the gradebook's database; the file must not be there. */
export function writeDatabase(path: string, book: Book): void {
  using database = new DatabaseSync(path);
  database.exec(schema);
  database.exec("BEGIN");
  database.prepare("INSERT INTO section VALUES (?, ?)").run(book.title, book.status);
  const category = database.prepare("INSERT INTO category VALUES (?, ?, ?, ?)");
  for (const { id, name, weight, drop } of book.categories) category.run(id, name, weight, drop);
  const assignment = database.prepare("INSERT INTO assignment VALUES (?, ?, ?, ?)");
  for (const one of book.assignments) assignment.run(one.id, one.category, one.name, one.points);
  const student = database.prepare("INSERT INTO student VALUES (?, ?, ?, ?, ?)");
  const score = database.prepare("INSERT INTO score VALUES (?, ?, ?, ?)");
  for (const { number, name, status, letter, percent } of book.students) {
    student.run(number, name, status, letter, percent);
    for (const { id } of book.assignments) {
      const { points = null, mark = "" } = book.scores[number]?.[id] ?? {};
      score.run(number, id, points, mark);
    }
  }
  database.exec("COMMIT");
}
