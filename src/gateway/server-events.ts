/** Splits a stream into server-sent events as it arrives. */
export interface ServerEventReader {
  /** Takes bytes; calls back for every event they complete, with its text as it was and the data in it. */
  push(chunk: Uint8Array): void;
  /** What was left without its blank line; it is given out as a last event. */
  end(): void;
}

/** No event is longer, in characters: one with a picture has some millions. */
const longestEvent = 32 * 1024 * 1024;

/** A blank line has at most so many characters; it may come in pieces. */
const blankLine = 4;

/**
 * Throws a `RangeError` for a stream that holds an event of more than `longest` characters.
 * @param onEvent `raw` holds the event with its blank line; `data` its data lines joined, empty for a comment.
 */
export function readServerEvents(
  onEvent: (data: string, raw: string) => void,
  longest: number = longestEvent,
): ServerEventReader {
  const decoder = new TextDecoder();
  /** Pieces of the event that has begun: they are joined once, however many there are. */
  let pieces: string[] = [];
  let length = 0;
  let tail = "";

  function take(text: string): void {
    const joint = tail + text;
    const blank = /\r?\n\r?\n|\r\r/g;
    let from = tail.length;
    while (blank.exec(joint) !== null) {
      hold(joint.slice(from, blank.lastIndex));
      emit();
      from = blank.lastIndex;
    }
    const isSame = from === tail.length;
    hold(joint.slice(from));
    tail = joint.slice(isSame ? 0 : from).slice(1 - blankLine);
    if (length > longest) throw new RangeError("an event of the stream is longer than any can be");
  }

  function hold(piece: string): void {
    pieces.push(piece);
    length += piece.length;
  }

  function emit(): void {
    const raw = pieces.join("");
    pieces = [];
    length = 0;
    const lines = raw.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
    onEvent(lines.map((line) => line.slice(line[5] === " " ? 6 : 5)).join("\n"), raw);
  }

  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      take(decoder.decode());
      if (length > 0) emit();
    },
  };
}
