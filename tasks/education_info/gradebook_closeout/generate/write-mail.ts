import type { Random } from "ale/contract/random";
import type { Book } from "../book.ts";
import type { Decision } from "../decision.ts";

const teacher = "Dr. Mara Lindqvist";

/** Every decision as a mail, and one that is about another course. The first line of each says who writes. */
export function writeMail(
  random: Random,
  book: Book,
  course: string,
  decisions: readonly Decision[],
): readonly string[] {
  const mails = decisions.map((decision) => mailOf(random, book, course, decision));
  mails.push(
    letter(teacher, "Another course", [
      "Please do not forget that in my evening seminar Homework 2 was cancelled. This has nothing to do with",
      `${course}, where it counts like any other.`,
    ]),
  );
  return random.shuffle(mails);
}

function mailOf(random: Random, book: Book, course: string, decision: Decision): string {
  const person = book.students.find(({ number }) => number === decision.student);
  const [family, given] = (person?.name ?? "").split(", ");
  // Not every mail gives the number.
  const who = random.next() < 0.5 ? `${given} ${family}` : `${given} ${family} (${decision.student})`;
  const id = "assignment" in decision ? decision.assignment : 0;
  const work = book.assignments.find((assignment) => assignment.id === id)?.name ?? "";
  switch (decision.kind) {
    case "extension":
      return letter(teacher, `${work}, ${family}`, [
        `I gave ${who} an extension of ${decision.days} ${decision.days === 1 ? "day" : "days"} for ${work}. Only days beyond it count as late.`,
      ]);
    case "no-extension":
      return letter(teacher, `${work}, ${family}`, [
        `${who} asked for more time for ${work}. I did not agree: the usual deduction applies.`,
      ]);
    case "regrade":
      return letter(teacher, `Points of ${family}`, [
        `I have gone through ${work} of ${who} once more. It is worth ${decision.to} points, not ${decision.from}.`,
      ]);
    case "no-regrade":
      return letter(teacher, `Points of ${family}`, [
        `${who} would like more points for ${work}. I have looked, and the score stands.`,
      ]);
    case "excuse":
      return letter(teacher, `Absence of ${family}`, [
        `${who} was ill on the day of ${work}; the certificate is here. Please excuse that work.`,
      ]);
    case "no-excuse":
      return letter(teacher, `Absence of ${family}`, [
        `${who} missed ${work} and has brought no certificate. I do not excuse it.`,
      ]);
    case "misconduct":
      return letter("Office of the Dean", `Academic integrity, ${course}`, [
        `The panel has found that ${work} of ${who} was copied. The score is 0 and must never be dropped as a lowest score.`,
      ]);
    case "deferral":
      return letter("Office of the Registrar", `Deferred examination, ${course}`, [
        `${who} may sit the final exam of ${course} next term. Until then the exam is excused and the grade is I.`,
      ]);
  }
}

function letter(from: string, subject: string, lines: readonly string[]): string {
  return [`From: ${from}`, `Subject: ${subject}`, "", ...lines, ""].join("\n");
}
