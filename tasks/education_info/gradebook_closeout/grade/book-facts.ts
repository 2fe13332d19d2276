import type { JsonValue } from "ale/contract/json-value";
import type { Facts } from "ale/grade/state/required-changes";

/** A book's facts by the part of the work that sets them. */
export interface BookFacts {
  readonly settings: Facts;
  readonly scores: Facts;
  readonly roster: Facts;
  readonly grades: Facts;
  /** What no part of the work changes. */
  readonly fixed: Facts;
  readonly closed: boolean;
}

/** Reads whatever JSON it is given; what is not there or of another form gives no facts. */
export function bookFacts(value: JsonValue): BookFacts {
  const book = record(value);
  const [settings, scores, roster, grades, fixed] = [1, 2, 3, 4, 5].map(() => new Map<string, string>()) as [
    Map<string, string>,
    Map<string, string>,
    Map<string, string>,
    Map<string, string>,
    Map<string, string>,
  ];
  fixed.set("title", said(book["title"]));
  for (const one of list(book["categories"])) {
    const { id, name, weight, drop, ...other } = one;
    put(settings, `category ${said(id)} weight`, weight);
    put(settings, `category ${said(id)} drop`, drop);
    put(fixed, `category ${said(id)}`, { name: name ?? null, ...other });
  }
  for (const one of list(book["assignments"])) put(fixed, `assignment ${said(one["id"])}`, one);
  for (const one of list(book["students"])) {
    const { number, status, letter, percent, ...other } = one;
    put(roster, `student ${said(number)}`, status);
    put(grades, `grade ${said(number)}`, letter);
    put(grades, `percent ${said(number)}`, percent);
    put(fixed, `student ${said(number)}`, other);
  }
  for (const [student, cells] of Object.entries(record(book["scores"]))) {
    for (const [id, cell] of Object.entries(record(cells))) put(scores, `score ${student} ${id}`, cell);
  }
  return { settings, scores, roster, grades, fixed, closed: book["status"] === "closed" };
}

/** A fact told twice with different values is no fact of either. */
function put(facts: Map<string, string>, about: string, value: JsonValue | undefined): void {
  const text = said(value);
  facts.set(about, facts.has(about) ? `${facts.get(about)} and ${text}` : text);
}

function said(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null);
}

function record(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, JsonValue>>)
    : {};
}

function list(value: JsonValue | undefined): readonly Readonly<Record<string, JsonValue>>[] {
  return Array.isArray(value) ? value.map((item: JsonValue) => record(item)) : [];
}
