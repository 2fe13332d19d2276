import { AleError } from "../../contract/ale-error.ts";
import type { AttemptRecord } from "../../record/run-record.ts";

/**
 * The attempt that a part of a trial's id means: the numbered one, or the last finished. Throws `usage` when no trial or
 * several match.
 */
export function chooseAttempt(
  attempts: readonly AttemptRecord[],
  part: string,
  number: string | undefined,
): AttemptRecord {
  const ids = [...new Set(attempts.map((attempt) => attempt.trial))];
  const matching = ids.includes(part) ? [part] : ids.filter((id) => id.includes(part));
  if (matching.length !== 1) {
    throw new AleError({
      code: "usage",
      message:
        matching.length === 0
          ? `no trial has ${JSON.stringify(part)} in its id`
          : `${matching.length} trials have ${JSON.stringify(part)} in their id: ${matching.slice(0, 5).join(", ")}`,
      remedy: "npx ale results ls lists the ids",
    });
  }
  const own = attempts.filter((attempt) => attempt.trial === matching[0]);
  const chosen =
    number === undefined
      ? (own.findLast((attempt) => attempt.result !== undefined) ?? own.at(-1))
      : own.find((attempt) => String(attempt.attempt) === number);
  if (chosen !== undefined) return chosen;
  throw new AleError({
    code: "usage",
    message: `trial ${matching[0]} has no attempt ${number}; it has ${own.map((attempt) => attempt.attempt).join(", ")}`,
    remedy: "leave --attempt out for the last finished one",
  });
}
