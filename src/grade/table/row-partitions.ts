import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** How many parts a table is dealt out to; joined one at a time. */
export const partitionCount = 64;
/** Rows are held in memory up to so many characters, then written out. */
const heldCharacters = 4_000_000;
const rowEnd = "\u001e";

/**
 * The rows of one side, as single strings dealt out by key: in memory while they are few, else in temporary files
 * under `folder`. Rows of one part come back in the order they went in.
 */
export class RowPartitions implements Disposable {
  readonly #folder: string;
  readonly #side: string;
  readonly #held: string[][] = Array.from({ length: partitionCount }, () => []);
  readonly #files: (number | undefined)[] = Array.from({ length: partitionCount }, () => undefined);
  #characters = 0;

  constructor(folder: string, side: string) {
    this.#folder = folder;
    this.#side = side;
  }

  /** @param row must not contain U+001E. */
  add(part: number, row: string): void {
    this.#held[part]?.push(row);
    // The overhead of a string counts too, so that a billion tiny rows do not fill memory.
    this.#characters += row.length + 32;
    if (this.#characters > heldCharacters) this.#spill();
  }

  /** The rows of a part; it can be taken once. */
  take(part: number): readonly string[] {
    const held = this.#held[part] ?? [];
    this.#held[part] = [];
    if (this.#files[part] === undefined) return held;
    const written = readFileSync(this.#path(part), "utf8").split(rowEnd);
    written.pop();
    return written.concat(held);
  }

  #spill(): void {
    for (const [part, rows] of this.#held.entries()) {
      if (rows.length === 0) continue;
      const file = this.#files[part] ?? openSync(this.#path(part), "wx", 0o600);
      this.#files[part] = file;
      writeAll(file, Buffer.from(rows.join(rowEnd) + rowEnd));
      this.#held[part] = [];
    }
    this.#characters = 0;
  }

  #path(part: number): string {
    return join(this.#folder, `${this.#side}-${part}`);
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) if (file !== undefined) closeSync(file);
    this.#files.fill(undefined);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}

/** The part that a key belongs to (FNV-1a over UTF-16 units). */
export function partitionOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 16)) & (partitionCount - 1);
}
