/** Splits a stream into server-sent events as it arrives. */
export interface ServerEventReader {
  /** Takes bytes; calls back for every event they complete, with its text as it was and the data in it. */
  push(chunk: Uint8Array): void;
  /** What was left without its blank line; it is given out as a last event. */
  end(): void;
}

/** No event is longer, in characters: one with a picture has some millions. */
const longestEvent = 32 * 1024 * 1024;

/**
 * Throws a `RangeError` for a stream that holds an event above all measure.
 * @param onEvent `raw` holds the event with its blank line; `data` its data lines joined, empty for a comment.
 */
export function readServerEvents(onEvent: (data: string, raw: string) => void): ServerEventReader {
  const decoder = new TextDecoder();
  let rest = "";

  function take(text: string): void {
    // A blank line may have begun in what came before.
    const blank = /\r?\n\r?\n|\r\r/g;
    blank.lastIndex = Math.max(0, rest.length - 3);
    rest += text;
    let from = 0;
    for (let match = blank.exec(rest); match !== null; match = blank.exec(rest)) {
      emit(rest.slice(from, blank.lastIndex));
      from = blank.lastIndex;
    }
    rest = rest.slice(from);
    if (rest.length > longestEvent) throw new RangeError("an event of the stream is longer than any can be");
  }

  function emit(raw: string): void {
    const lines = raw.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
    onEvent(lines.map((line) => line.slice(line[5] === " " ? 6 : 5)).join("\n"), raw);
  }

  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      take(decoder.decode());
      if (rest !== "") emit(rest);
      rest = "";
    },
  };
}
