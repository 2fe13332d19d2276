import { open } from "node:fs/promises";
import { systemCode } from "../../files/system-code.ts";
import type { ItemUsage } from "../api/item-page.ts";
import { type Framing, type ItemBytes, itemBytes } from "./item-ranges.ts";

/** A file of items, and what is done to the text of each before anybody sees it. */
export interface ItemSource {
  readonly path: string;
  readonly framing: Framing;
  readonly mask?: (text: string) => string;
  /** What an item used, for files whose items may take a model. */
  readonly usageOf?: (value: unknown) => ItemUsage | undefined;
}

/** The items of a file from an offset at which one starts; none of an absent file. */
export async function* itemsOf({ path, framing }: ItemSource, from: number): AsyncGenerator<ItemBytes> {
  try {
    // From the middle of a line its text would be seen unmasked.
    if (framing === "lines" && !(await startsLine(path, from))) return;
    yield* itemBytes(path, framing, from);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

async function startsLine(path: string, offset: number): Promise<boolean> {
  if (offset === 0) return true;
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, offset - 1);
    return bytesRead === 1 && buffer[0] === 10;
  } finally {
    await handle.close();
  }
}
