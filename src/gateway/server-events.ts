/** Splits a stream into server-sent events as it arrives. */
export interface ServerEventReader {
  /** Takes bytes; calls back for every event they complete, with its text as it was and the data in it. */
  push(chunk: Uint8Array): void;
  /** What was left without its blank line; it is given out as a last event. */
  end(): void;
}

/**
 * @param onEvent `raw` holds the event with its blank line; `data` its data lines joined, empty for a comment.
 */
export function readServerEvents(onEvent: (data: string, raw: string) => void): ServerEventReader {
  const decoder = new TextDecoder();
  let rest = "";

  function take(text: string): void {
    rest += text;
    let from = 0;
    for (const match of rest.matchAll(/\r?\n\r?\n|\r\r/g)) {
      const end = match.index + match[0].length;
      emit(rest.slice(from, end));
      from = end;
    }
    rest = rest.slice(from);
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
