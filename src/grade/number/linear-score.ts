/**
 * 0 at `zeroAt` and beyond, 1 at `fullAt` and beyond, a straight line between; `zeroAt` may be the larger. Where
 * both are the same it is a step that includes the point. Never rounds to 0 or 1 inside.
 */
export function linearScore(value: number, zeroAt: number, fullAt: number): number {
  if (Number.isNaN(value)) return 0;
  const rising = fullAt >= zeroAt;
  if (rising ? value >= fullAt : value <= fullAt) return 1;
  if (rising ? value <= zeroAt : value >= zeroAt) return 0;
  const share = (value - zeroAt) / (fullAt - zeroAt);
  return Math.min(Math.max(share, Number.MIN_VALUE), 1 - Number.EPSILON / 2);
}
