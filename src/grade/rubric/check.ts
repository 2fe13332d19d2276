import { AleError } from "../../contract/ale-error.ts";
import type { Check } from "../../contract/verdict.ts";
import type { Outcome } from "../outcome.ts";

/** A criterion, and what a grader said of it. */
export interface CheckInput {
  /** Unique in the verdict, kebab-case. */
  readonly id: string;
  /** The named part of the workflow this belongs to. */
  readonly stage: string;
  /** Share of the score relative to the other checks, 0.000001 to 1000000; default 1, and 0 for a gate. */
  readonly weight?: number;
  /** A gate that scores below 1 makes the whole verdict 0. Default false. */
  readonly gate?: boolean;
  readonly outcome: Outcome;
}

/**
 * Makes a check of an outcome.
 *
 * Throws an `AleError` coded `check-misuse` when the id or stage is empty, the weight is out of range, a check
 * that is no gate weighs 0 (it could not move the score, yet would stand in the way of a full pass), or
 * the outcome's score lies outside [0, 1].
 */
export function check(input: CheckInput): Check {
  const gate = input.gate ?? false;
  const weight = input.weight ?? (gate ? 0 : 1);
  const { score, message, evidence } = input.outcome;
  if (input.id === "" || input.stage === "") {
    throw misuse(input, "has an empty id or stage", "Name both.");
  }
  const inRange = weight >= 1e-6 && weight <= 1e6;
  if (!inRange && !(gate && weight === 0)) {
    throw misuse(input, `has weight ${weight}`, "Give a weight from 0.000001 to 1000000, or make it a gate.");
  }
  if (!(score >= 0 && score <= 1)) {
    throw misuse(input, `has score ${score}`, "A grader must return a score in [0, 1].");
  }
  const facts = evidence === undefined ? {} : { evidence };
  return { id: input.id, stage: input.stage, weight, gate, score: score + 0, message, ...facts };
}

function misuse(input: CheckInput, problem: string, remedy: string): AleError {
  return new AleError({
    code: "check-misuse",
    message: `Check "${input.id}" of stage "${input.stage}" ${problem}.`,
    remedy,
    fields: { check: input.id, stage: input.stage },
  });
}
