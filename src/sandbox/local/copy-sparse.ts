import type { Stats } from "node:fs";
import { copyFile, open } from "node:fs/promises";

const chunkBytes = 1024 * 1024;
const blockBytes = 512;

/** Copies a regular file; one with holes keeps them, so that it takes no more room than it did. */
export async function copySparse(from: string, to: string, stats: Stats): Promise<void> {
  if (stats.blocks * blockBytes >= stats.size) return copyFile(from, to);
  await using source = await open(from, "r");
  await using target = await open(to, "r+");
  const chunk = Buffer.alloc(chunkBytes);
  const nothing = Buffer.alloc(chunkBytes);
  let position = 0;
  for (;;) {
    const { bytesRead } = await source.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    const isHole = chunk.subarray(0, bytesRead).equals(nothing.subarray(0, bytesRead));
    if (!isHole) await target.write(chunk, 0, bytesRead, position);
    position += bytesRead;
  }
  await target.truncate(position);
}
