import type { Verdict } from "ale/contract/verdict";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { gateAndScore } from "ale/grade/rubric/gate-and-score";
import { readJson } from "ale/grade/rubric/read-artifact";
import { type Facts, requiredChanges } from "ale/grade/state/required-changes";
import type { GradeContext } from "ale/task";
import type { Book } from "../book.ts";
import type { Params } from "../params.ts";
import { bookFacts } from "./book-facts.ts";
import { exportOutcome } from "./export-outcome.ts";

/** Gate: the section is closed. Then what had to change in the gradebook, part by part, and the exported grades. */
export async function grade({ artifacts, reference }: GradeContext<Params>): Promise<Verdict> {
  const initial = bookFacts(fromReference(await readJson(reference, "initial.json")));
  const wanted = fromReference(await readJson(reference, "expected.json"));
  const expected = bookFacts(wanted);
  const { students } = wanted as unknown as Book;
  const state = await readJson(artifacts, "gradebook.json");
  const actual = bookFacts(state.kind === "ok" ? state.value : null);
  const closed: Outcome =
    state.kind === "bad"
      ? state.outcome
      : {
          score: Number(actual.closed),
          message: actual.closed
            ? "The section is closed."
            : "The section is still open, so the registrar has no grades.",
        };
  const part = (name: "settings" | "scores" | "roster" | "grades", noun: string): Outcome =>
    requiredChanges(actual[name], initial[name], expected[name], { noun });
  return gateAndScore(
    [check({ id: "closed", stage: "close", gate: true, outcome: closed })],
    [
      check({
        id: "settings",
        stage: "settings",
        weight: 0.1,
        outcome: part("settings", "weights and drops"),
      }),
      check({ id: "scores", stage: "scores", weight: 0.4, outcome: part("scores", "points and marks") }),
      check({ id: "roster", stage: "roster", weight: 0.1, outcome: part("roster", "statuses") }),
      check({
        id: "grades",
        stage: "grades",
        weight: 0.3,
        outcome: part("grades", "grades and percentages"),
      }),
      check({
        id: "export",
        stage: "close",
        weight: 0.1,
        outcome: withFixed(actual.fixed, expected.fixed, await exportOutcome(artifacts, students)),
      }),
    ],
  );
}

/** Names, assignments and the title are no part of the work; a book in which they differ is another book. */
function withFixed(actual: Facts, expected: Facts, outcome: Outcome): Outcome {
  const same = requiredChanges(actual, expected, expected);
  return same.score === 1 ? outcome : { score: 0, message: "This is not the section that was given." };
}
