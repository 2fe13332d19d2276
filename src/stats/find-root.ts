/**
 * The root of a function that changes sign between `low` and `high`, to the last bits: Ridders' method
 * (IEEE Trans. Circuits Syst. 26, 1979), with bisection's guarantee. `RangeError` without a change of sign.
 */
export function findRoot(f: (x: number) => number, low: number, high: number): number {
  let left = low;
  let right = high;
  let atLeft = f(left);
  let atRight = f(right);
  if (atLeft === 0) return left;
  if (atRight === 0) return right;
  if (!(Math.sign(atLeft) * Math.sign(atRight) < 0))
    throw new RangeError(`no change of sign between ${low} and ${high}`);
  for (let step = 0; step < 200; step++) {
    const middle = left + (right - left) / 2;
    if (middle === left || middle === right) return middle;
    const atMiddle = f(middle);
    if (atMiddle === 0) return middle;
    const root = Math.sqrt(atMiddle * atMiddle - atLeft * atRight);
    const guess = middle + ((middle - left) * Math.sign(atLeft - atRight) * atMiddle) / root;
    const inside = guess > left && guess < right ? guess : middle;
    const atGuess = f(inside);
    if (atGuess === 0) return inside;
    for (const [x, y] of [
      [middle, atMiddle],
      [inside, atGuess],
    ] as const) {
      if (x <= left || x >= right) continue;
      if (Math.sign(y) === Math.sign(atLeft)) {
        left = x;
        atLeft = y;
      } else {
        right = x;
        atRight = y;
      }
    }
    if (right - left <= 4 * Number.EPSILON * Math.max(Math.abs(left), Math.abs(right)))
      return left + (right - left) / 2;
  }
  return left + (right - left) / 2;
}
