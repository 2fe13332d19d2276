import { createReadStream } from "node:fs";
import { type TrialEvent, trialEventSchema } from "../contract/trial-event.ts";

/** One line of an `events.jsonl`, judged. */
export type EventLine = {
  /** 1-based. */
  readonly line: number;
  /** Bytes from the start of the file to the end of this line, its line feed included. */
  readonly endOffset: number;
  /** The line feed is there. */
  readonly ended: boolean;
} & (
  | { readonly kind: "event"; readonly event: TrialEvent }
  | { readonly kind: "corrupt"; readonly problem: string }
);

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Streams the lines of an events file. Never throws for what a line holds. An event whose line feed was cut
 * off is whole all the same: no shorter part of a JSON object is JSON.
 */
export async function* eventLines(path: string): AsyncGenerator<EventLine> {
  let line = 0;
  let endOffset = 0;
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(path)) {
    let rest = chunk as Buffer;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      const bytes = Buffer.concat([...parts, rest.subarray(0, at)]);
      parts = [];
      rest = rest.subarray(at + 1);
      line += 1;
      endOffset += bytes.length + 1;
      yield { line, endOffset, ended: true, ...judge(bytes) };
    }
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) {
    const bytes = Buffer.concat(parts);
    yield { line: line + 1, endOffset: endOffset + bytes.length, ended: false, ...judge(bytes) };
  }
}

function judge(
  bytes: Buffer,
):
  | { readonly kind: "event"; readonly event: TrialEvent }
  | { readonly kind: "corrupt"; readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    return { kind: "corrupt", problem: error instanceof Error ? error.message : String(error) };
  }
  const parsed = trialEventSchema.safeParse(value);
  if (parsed.success) return { kind: "event", event: parsed.data };
  const issue = parsed.error.issues[0];
  return { kind: "corrupt", problem: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not an event"}` };
}
