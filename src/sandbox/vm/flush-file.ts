import { open } from "node:fs/promises";

/** Brings a file's content to the disk: what is noted as whole is so after a loss of power, too. */
export async function flushFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}
