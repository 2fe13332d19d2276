import { inflateSync } from "node:zlib";

const maxStreamBytes = 128 * 1024 * 1024;
const maxTotalBytes = 1024 * 1024 * 1024;
const maxStreams = 200_000;

/**
 * Why a PDF had better not be parsed, or `undefined`: its compressed streams, also those compressed twice, unpack to
 * more than 128 MiB each or 1 GiB together, or are beyond count. Parsers unpack them without any limit.
 */
export function findPdfBomb(bytes: Buffer): string | undefined {
  let total = 0;
  let streams = 0;
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    if (bytes.subarray(at - 3, at).toString("latin1") === "end") continue;
    if (++streams > maxStreams) return `it has more than ${maxStreams} streams`;
    let packed = bytes.subarray(skipLineEnd(bytes, at + 6));
    for (let layer = 0; layer < 4 && isDeflated(packed); layer++) {
      const unpacked = inflate(packed);
      if (unpacked === "too-large") return "it unpacks to too much";
      if (unpacked === undefined) break;
      total += unpacked.length;
      if (total > maxTotalBytes) return "it unpacks to too much";
      packed = unpacked;
    }
  }
  return undefined;
}

function skipLineEnd(bytes: Buffer, at: number): number {
  const start = bytes[at] === 13 ? at + 1 : at;
  return bytes[start] === 10 ? start + 1 : start;
}

/** The two bytes that open zlib data (RFC 1950). */
function isDeflated(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 15) === 8 && (method * 256 + flags) % 31 === 0;
}

function inflate(packed: Buffer): Buffer | "too-large" | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: maxStreamBytes });
  } catch (error) {
    // Damage is for the parser to judge; it may only look like a stream.
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too-large" : undefined;
  }
}
