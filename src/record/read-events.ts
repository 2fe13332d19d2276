import { basename } from "node:path";
import type { TrialEvent } from "../contract/trial-event.ts";
import { systemCode } from "../files/system-code.ts";
import { type EventLine, eventLines } from "./event-lines.ts";

/**
 * The events of an attempt, in order. A torn last line is left out. A corrupt line before it becomes a `note` coded
 * `corrupt-line` with the line's number in its data, in the place and with the sequence number of what was lost.
 * Empty when there is no file.
 */
export async function* readEvents(path: string): AsyncGenerator<TrialEvent> {
  let seq = 0;
  let at = 0;
  try {
    for await (const line of eventLines(path)) {
      if (line.kind === "corrupt" && !line.ended) return;
      const event = line.kind === "event" ? line.event : lostEvent(line, path, seq + 1, at);
      seq = event.seq;
      at = event.at;
      yield event;
    }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

function lostEvent(
  line: Extract<EventLine, { kind: "corrupt" }>,
  path: string,
  seq: number,
  at: number,
): TrialEvent {
  const message = `line ${line.line} of ${basename(path)} cannot be read (${line.problem})`;
  return { seq, at, type: "note", code: "corrupt-line", message, data: { line: line.line } };
}
