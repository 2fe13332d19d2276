import { check } from "ale/grade/rubric/check";
import type { Read } from "ale/grade/rubric/read";
import { matchRecords } from "ale/grade/sequence/match-records";
import type { ExpectedEvent } from "../incident.ts";
import type { TimelineRow } from "./read-timeline.ts";

/** Seconds a time may be off. */
const tolerance = 5;

/** Events found, in time and with evidence that shows them; surplus rows count against. */
export function timelineCheck(
  read: Read<readonly TimelineRow[]>,
  expected: readonly ExpectedEvent[],
): ReturnType<typeof check> {
  const about = { id: "timeline", stage: "timeline", weight: 28 } as const;
  if (read.kind === "bad") return check({ ...about, outcome: read.outcome });
  const { outcome, pairs } = matchRecords(read.value, expected, {
    key: {
      actual: ({ event, host }) => `${event}@${host}`,
      expected: ({ event, host }) => `${event}@${host}`,
    },
    similarity: (row, event) => (isTimely(row, event) ? 0.5 : 0.1) + (isProven(row, event) ? 0.5 : 0.1),
  });
  const timely = pairs.filter(({ actual, expected }) => isTimely(actual, expected)).length;
  const proven = pairs.filter(({ actual, expected }) => isProven(actual, expected)).length;
  const message = `${outcome.message} ${timely} with the right time, ${proven} with evidence that shows them.`;
  return check({ ...about, outcome: { ...outcome, message } });
}

function isTimely({ time }: TimelineRow, event: ExpectedEvent): boolean {
  return time !== undefined && Math.abs(time - event.time) <= tolerance;
}

function isProven({ file, line }: TimelineRow, { evidence }: ExpectedEvent): boolean {
  return line !== undefined && evidence.some((proof) => proof.file === file && proof.lines.includes(line));
}
