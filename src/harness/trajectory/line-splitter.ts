/** Longer lines are no event: the largest real one carries a screenshot in base64. */
export const longestLineBytes: number = 16 * 1024 * 1024;
const keptOfLongLine = 4096;
const lineFeed = 10;
const carriageReturn = 13;

/** Cuts a stream of bytes into lines, whatever the chunks; memory is bounded by the longest line. */
export interface LineSplitter {
  /** The lines that the chunk completes, without their ends. */
  push(chunk: Uint8Array): readonly string[];
  /** A last line without an end, if any. */
  end(): readonly string[];
}

/** Of a line above `longest` bytes only the beginning is given out, with its true length in words. */
export function createLineSplitter(longest: number = longestLineBytes): LineSplitter {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let cutBytes = 0;

  function hold(piece: Uint8Array): void {
    if (cutBytes > 0) {
      cutBytes += piece.length;
      return;
    }
    held.push(Buffer.from(piece));
    heldBytes += piece.length;
    if (heldBytes <= longest) return;
    cutBytes = heldBytes;
    held = [Buffer.from(Buffer.concat(held).subarray(0, keptOfLongLine))];
  }

  function take(): string {
    const text = textOf(Buffer.concat(held));
    const line = cutBytes > 0 ? `${text}… (a line of ${cutBytes} bytes, cut)` : text;
    held = [];
    heldBytes = 0;
    cutBytes = 0;
    return line;
  }

  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
        const piece = chunk.subarray(from, at);
        if (heldBytes === 0 && piece.length <= longest) lines.push(textOf(piece));
        else {
          hold(piece);
          lines.push(take());
        }
        from = at + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
      return lines;
    },
    end: () => (heldBytes === 0 ? [] : [take()]),
  };
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
  return Buffer.from(bytes.buffer, bytes.byteOffset, end).toString("utf8");
}
