import { rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * What a machine's disk holds beyond the size asked for, beside the layers that are all of it the agent sees. The
 * trusted side gets it at quiesce, so that an agent that filled its disk keeps nobody from collecting and grading
 * what it left.
 */
export const spareDisk: {
  readonly folder: string;
  /** Empty files, each holding an inode. */
  readonly files: number;
  readonly imageMb: number;
  /** Less than on an image, for it takes up memory from the start. */
  readonly memoryMb: number;
} = { folder: "spare", files: 512, imageMb: 64, memoryMb: 8 };

/** Gives up what a disk, seen at `disk` from the host, was holding back. Safe to repeat. */
export async function freeSpareDisk(disk: string): Promise<void> {
  await rm(join(disk, spareDisk.folder), { recursive: true, force: true });
}
