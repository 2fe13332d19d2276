/** Where one element of the array stands in the file, in bytes. */
export interface ElementRange {
  readonly start: number;
  readonly end: number;
}

/** Finds the objects in one top-level array of a JSON document, without parsing it and in bounded memory. */
export interface ElementScanner {
  /** Takes the next bytes; answers the elements that ended in them. */
  feed(chunk: Buffer): readonly ElementRange[];
  /** The array's end was seen. */
  readonly done: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * @param key name of the array in the document's outer object.
 * @param offset 0 to start at the document's beginning, or that of an element found before.
 */
export function createElementScanner(key: string, offset: number): ElementScanner {
  const wanted = Buffer.from(key);
  let position = offset;
  // Resumed at an element: inside the outer object and the array.
  let depth = offset === 0 ? 0 : 2;
  let inArray = offset !== 0;
  let inString = false;
  let oddBackslashes = false;
  let text: Buffer = Buffer.alloc(0);
  let start = 0;
  let done = false;

  /** Index after the string's closing quote, or the chunk's length when it goes on. */
  function skipString(chunk: Buffer, from: number): number {
    let at = from;
    for (;;) {
      const found = chunk.indexOf(quote, at);
      const end = found < 0 ? chunk.length : found;
      let run = 0;
      while (end - 1 - run >= at && chunk[end - 1 - run] === backslash) run += 1;
      const odd = (run % 2 === 1) !== (run === end - at && oddBackslashes);
      if (depth === 1 && text.length <= wanted.length) text = Buffer.concat([text, chunk.subarray(at, end)]);
      oddBackslashes = found < 0 ? odd : false;
      if (found < 0) return chunk.length;
      if (!odd) {
        inString = false;
        return found + 1;
      }
      at = found + 1;
    }
  }

  return {
    feed(chunk) {
      const ranges: ElementRange[] = [];
      let at = 0;
      while (at < chunk.length && !done) {
        if (inString) {
          at = skipString(chunk, at);
          continue;
        }
        const byte = chunk[at];
        if (byte === quote) {
          inString = true;
          oddBackslashes = false;
          if (depth === 1) text = Buffer.alloc(0);
        } else if (byte === openBrace || byte === openBracket) {
          if (byte === openBracket && depth === 1 && text.equals(wanted)) inArray = true;
          else if (byte === openBrace && inArray && depth === 2) start = position + at;
          depth += 1;
        } else if (byte === closeBrace || byte === closeBracket) {
          depth -= 1;
          if (inArray && depth === 2 && byte === closeBrace) ranges.push({ start, end: position + at + 1 });
          else if (inArray && depth === 1) done = true;
        }
        at += 1;
      }
      position += chunk.length;
      return ranges;
    },
    get done() {
      return done;
    },
  };
}
