import { createReadStream } from "node:fs";
import { createElementScanner, type ElementRange } from "./element-scanner.ts";

/** How items stand in their file: one a line, or as elements of the array `steps` of a trajectory. */
export type Framing = "lines" | "steps";

const chunkBytes = 1 << 20;
const smallChunkBytes = 1 << 18;
const lineFeed = 10;

/** An item's place and its bytes. */
export interface ItemBytes extends ElementRange {
  readonly bytes: Buffer;
}

/**
 * The items of a file from an offset at which one starts, 0 for the beginning. A last line without its end is left out:
 * it may still be in writing.
 */
export async function* itemBytes(path: string, framing: Framing, from: number): AsyncGenerator<ItemBytes> {
  let held: Buffer[] = [];
  let heldAt = from;
  const scan = framing === "lines" ? createLineScanner(from) : createElementScanner("steps", from);
  for await (const piece of createReadStream(path, { start: from, highWaterMark: smallChunkBytes })) {
    const chunk = piece as Buffer;
    const ranges = scan.feed(chunk);
    held.push(chunk);
    const last = ranges.at(-1);
    if (last !== undefined) {
      const bytes = Buffer.concat(held);
      for (const { start, end } of ranges) {
        yield { start, end, bytes: bytes.subarray(start - heldAt, end - heldAt) };
      }
      held = [bytes.subarray(last.end - heldAt)];
      heldAt = last.end;
    }
    if (scan.done) return;
  }
}

/** Like {@link itemBytes} without the bytes: places only, at the speed of the disk. */
export async function* itemRanges(path: string, framing: Framing): AsyncGenerator<readonly ElementRange[]> {
  const scan = framing === "lines" ? createLineScanner(0) : createElementScanner("steps", 0);
  for await (const piece of createReadStream(path, { highWaterMark: chunkBytes })) {
    yield scan.feed(piece as Buffer);
    if (scan.done) return;
  }
}

function createLineScanner(from: number): {
  feed(chunk: Buffer): readonly ElementRange[];
  readonly done: boolean;
} {
  let position = from;
  let start = from;
  return {
    feed(chunk) {
      const ranges: ElementRange[] = [];
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
        const end = position + at + 1;
        ranges.push({ start, end });
        start = end;
      }
      position += chunk.length;
      return ranges;
    },
    done: false,
  };
}
