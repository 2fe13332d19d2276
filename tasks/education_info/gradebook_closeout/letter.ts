const cutoffs: readonly (readonly [letter: string, tenths: number])[] = [
  ["A", 900],
  ["B", 800],
  ["C", 700],
  ["D", 600],
];

/** How near below a cutoff, in tenths, good attendance lifts a grade. */
const borderline = 5;

/** The grade of a percentage in tenths; `attends` is true from 95 % of the sessions on. */
export function letterOf(tenths: number, attends: boolean): string {
  const lift = attends ? borderline : 0;
  return cutoffs.find(([, cutoff]) => tenths + lift >= cutoff)?.[0] ?? "F";
}

export function attendsWell(attended: number, held: number): boolean {
  return attended * 100 >= held * 95;
}
