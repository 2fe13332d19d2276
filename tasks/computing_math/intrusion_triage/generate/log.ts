/** A log file in the making: lines are sorted by time at the end, and tagged ones can be found again. */
export class Log {
  readonly #lines: { readonly time: number; readonly text: string; readonly tag: string | undefined }[] = [];

  /** @param time of the host's own clock, in seconds; orders the lines. */
  add(time: number, text: string, tag?: string): void {
    this.#lines.push({ time, text, tag });
  }

  finish(): { readonly text: string; readonly numbers: ReadonlyMap<string, readonly number[]> } {
    const sorted = this.#lines.toSorted((one, other) => one.time - other.time);
    const numbers = new Map<string, number[]>();
    for (const [index, { tag }] of sorted.entries()) {
      if (tag === undefined) continue;
      const list = numbers.get(tag) ?? [];
      list.push(index + 1);
      numbers.set(tag, list);
    }
    return { text: `${sorted.map(({ text }) => text).join("\n")}\n`, numbers };
  }
}
