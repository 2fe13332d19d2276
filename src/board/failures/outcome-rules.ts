import { isRetryable } from "../../contract/trial-status.ts";
import { type FailureRule, yesWhere } from "./failure-case.ts";

/** Rules that need only the result and the verdict. */
export const outcomeRules: readonly FailureRule[] = [
  {
    id: "infrastructure",
    meaning: "the machine, the task or the grader failed",
    suggests: "infrastructure",
    judge: ({ grade, result }) =>
      yesWhere(isRetryable(grade.status) ? [`${grade.status}: ${result.reason}`] : []),
  },
  {
    id: "timeout",
    meaning: "the time ran out",
    suggests: "incomplete",
    judge: ({ grade, result }) => yesWhere(grade.status === "timeout" ? [`timeout: ${result.reason}`] : []),
  },
  {
    id: "budget-exceeded",
    meaning: "tokens, calls or dollars ran out",
    suggests: "incomplete",
    judge: ({ grade, result }) =>
      yesWhere(grade.status === "budget_exceeded" ? [`budget_exceeded: ${result.reason}`] : []),
  },
  {
    id: "refused",
    meaning: "the model or its provider declined",
    judge: ({ grade, result }) => yesWhere(grade.status === "refused" ? [`refused: ${result.reason}`] : []),
  },
  {
    id: "harness-failed",
    meaning: "the harness itself ended in an error",
    judge: ({ grade, result }) =>
      yesWhere(grade.status === "agent_error" ? [`agent_error: ${result.reason}`] : []),
  },
  {
    id: "missing-artifact",
    meaning: "a required output was not handed in",
    suggests: "incomplete",
    judge: ({ result }) =>
      yesWhere(
        result.artifacts.flatMap((artifact) =>
          artifact.state === "missing" && artifact.required ? [`${artifact.path} is missing`] : [],
        ),
      ),
  },
  {
    id: "wrong-format",
    meaning: "an output is empty, was refused, or fails a check of its format",
    suggests: "output-format",
    judge: ({ result, grade }) =>
      yesWhere([
        ...result.artifacts.flatMap((artifact) => {
          if (artifact.state === "refused") return [`${artifact.path} was refused: ${artifact.message}`];
          return artifact.state === "taken" && artifact.bytes === 0 ? [`${artifact.path} is empty`] : [];
        }),
        ...(grade.verdict?.checks ?? []).flatMap((check) =>
          check.score < 1 &&
          /format|schema|parse|readable|well.?formed|opens/i.test(`${check.id} ${check.stage}`)
            ? [`check ${check.id}: ${check.message}`]
            : [],
        ),
      ]),
  },
  {
    id: "gave-up-early",
    meaning: "ended by itself, unfinished, with most of the time left",
    suggests: "incomplete",
    judge: ({ result, grade, limits }) => {
      const minutes = limits?.working_minutes ?? limits?.wall_minutes;
      const missing = result.artifacts.some((artifact) => artifact.state === "missing" && artifact.required);
      const admits = result.claim.known && result.claim.value.kind !== "done";
      if (grade.status !== "completed" || !(missing || admits)) return { kind: "no" };
      if (minutes === undefined)
        return { kind: "cannot-tell", reason: "its time limit is not in the record" };
      const share = result.workingMs / 60_000 / minutes;
      const used = `used ${(share * 100).toFixed(0)}% of ${minutes} minutes`;
      const how = admits
        ? `says ${result.claim.known ? result.claim.value.kind : ""}`
        : "required outputs missing";
      return yesWhere(share < 0.25 ? [`${used}; ${how}`] : []);
    },
  },
  {
    id: "false-completion",
    meaning: "says that all is done, and it is not",
    judge: ({ result, grade }) => {
      if (!result.claim.known) return { kind: "cannot-tell", reason: `no claim: ${result.claim.reason}` };
      if (!grade.fullPass.known) return { kind: "cannot-tell", reason: grade.fullPass.reason };
      if (result.claim.value.kind !== "done" || grade.fullPass.value) return { kind: "no" };
      const failed = (grade.verdict?.checks ?? []).filter((check) => check.score < 1);
      const missing = result.artifacts.flatMap((artifact) =>
        artifact.state === "missing" && artifact.required ? [`${artifact.path} is missing`] : [],
      );
      return yesWhere([
        `says: ${lastWords(result.claim.value.message)}`,
        ...missing,
        ...failed.slice(0, 3).map((check) => `check ${check.id}: ${check.message}`),
      ]);
    },
  },
];

function lastWords(message: string): string {
  const text = message.trim().replaceAll(/\s+/g, " ");
  return text.length <= 160 ? text : `…${text.slice(-160)}`;
}
