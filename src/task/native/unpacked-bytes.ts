import { open } from "node:fs/promises";

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const mostDirectory = 64 * 1024 * 1024;

/**
 * The bytes a ZIP file (also XLSX, DOCX, ODS…) says it unpacks to, from its central directory (APPNOTE 4.3.12);
 * 0 for anything that is no ZIP. Entries of ZIP64 size count as 4 GiB each. Unpacks nothing.
 */
export async function unpackedBytes(path: string): Promise<number> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const tailLength = Math.min(size, 66_000);
  const tail = await readAt(tailLength, size - tailLength);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== endMark) return 0;
  const length = Math.min(tail.readUInt32LE(end + 12), mostDirectory);
  const directory = await readAt(length, tail.readUInt32LE(end + 16));
  let total = 0;
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === entryMark) {
    total += directory.readUInt32LE(at + 24);
    at +=
      46 +
      directory.readUInt16LE(at + 28) +
      directory.readUInt16LE(at + 30) +
      directory.readUInt16LE(at + 32);
  }
  return total;

  async function readAt(length: number, position: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
  }
}
