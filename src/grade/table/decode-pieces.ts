import { createReadStream } from "node:fs";
import { TableProblem } from "./table-problem.ts";

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";

/**
 * The text of a file in pieces, without its byte order mark. The mark, if any, outranks `encoding`.
 * Throws a `TableProblem` when the bytes are not of the encoding.
 */
export async function* decodePieces(path: string, encoding?: TextEncoding): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 }) as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(markedEncoding(chunk) ?? encoding ?? "utf-8", { fatal: true });
    yield decode(decoder, chunk);
  }
  if (decoder !== undefined) yield decode(decoder);
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new TableProblem(`it is not ${decoder.encoding.toUpperCase()} text`, { cause });
  }
}

function markedEncoding(head: Buffer): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined;
}
