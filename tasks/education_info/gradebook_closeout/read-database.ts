import { DatabaseSync } from "node:sqlite";
import type { Book, Score } from "./book.ts";

/** The whole gradebook. Opened for writing, so that a change cut off by the end of the service is rolled back. */
export function readDatabase(path: string): Book {
  using database = new DatabaseSync(path);
  const rows = (sql: string): readonly Record<string, unknown>[] => database.prepare(sql).all();
  const [section = {}] = rows("SELECT title, status FROM section");
  const scores: Record<string, Record<string, Score>> = {};
  for (const row of rows("SELECT * FROM score ORDER BY student, assignment_id")) {
    const student = String(row["student"]);
    const score = { points: row["points"], mark: row["mark"] } as Score;
    scores[student] = { ...scores[student], [String(row["assignment_id"])]: score };
  }
  return {
    ...(section as Pick<Book, "title" | "status">),
    categories: rows(
      'SELECT id, name, weight, drop_lowest AS "drop" FROM category ORDER BY id',
    ) as unknown as Book["categories"],
    assignments: rows(
      "SELECT id, category_id AS category, name, points FROM assignment ORDER BY id",
    ) as unknown as Book["assignments"],
    students: rows(
      "SELECT number, name, status, letter, percent FROM student ORDER BY number",
    ) as unknown as Book["students"],
    scores,
  };
}
