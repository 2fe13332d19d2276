import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";

/** Kept of each log, in bytes; the rest is read on and dropped. */
const maxLogBytes = 512 * 1024 * 1024;

/**
 * Passes a stream on, chunk by chunk, while a copy goes into a file up to the limit. The stream is read at the pace of
 * whoever takes the chunks, so that a flood is held back, not held in memory.
 */
export async function* keepOutput(stream: Readable, path: string): AsyncIterable<Uint8Array> {
  const file = createWriteStream(path);
  let kept = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      const room = maxLogBytes - kept;
      if (room > 0 && !file.write(chunk.subarray(0, room))) await once(file, "drain");
      kept += Math.min(chunk.byteLength, Math.max(0, room));
      yield chunk;
    }
  } finally {
    file.end();
    await finished(file);
  }
}
