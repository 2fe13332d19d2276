/** How many answers were right, of how many there were. */
export interface Tally {
  right: number;
  all: number;
}

export function emptyTally(): Tally {
  return { right: 0, all: 0 };
}

/** A question that had no answer does not count. */
export function addTo(tally: Tally, answer: boolean | undefined): void {
  if (answer === undefined) return;
  tally.all++;
  if (answer) tally.right++;
}

/** 0 where nothing could be asked. */
export function shareOf({ right, all }: Tally): number {
  return all === 0 ? 0 : right / all;
}
