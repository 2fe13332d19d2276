/**
 * What late work earns: a tenth of the points possible off for each day beyond the extension, and nothing beyond
 * three such days.
 */
export function latePoints(earned: number, possible: number, days: number, extension: number): number {
  const late = Math.max(0, days - extension);
  return late > 3 ? 0 : Math.max(0, earned - (possible / 10) * late);
}
