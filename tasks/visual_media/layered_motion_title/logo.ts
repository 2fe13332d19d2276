export type Colour = readonly [red: number, green: number, blue: number];

/** The partner's badge: a disc with peaks and a hole, within a ring of glass. */
export interface Logo {
  readonly disc: Colour;
  readonly peaks: Colour;
  /** Places of the two summits, across, in radii. */
  readonly summits: readonly [number, number];
}

/** Side of the logo's own picture, in pixels. */
export const logoSide = 144;
/** How much of the ring is opaque. */
const glass = 0.6;
/** Samples to a pixel, each way. */
const finer = 4;

/** Colour and alpha (0–1) at a point; x and y in radii from the centre, y downwards. */
function at({ disc, peaks, summits }: Logo, x: number, y: number): readonly [Colour, number] {
  const far = Math.hypot(x, y);
  if (far > 0.98) return [peaks, 0];
  if (far > 0.84) return [peaks, glass];
  if (Math.hypot(x - 0.34, y + 0.42) < 0.17) return [disc, 0];
  const under = summits.some((summit, index) => {
    const top = index === 0 ? -0.34 : -0.02;
    return y > top && y < 0.46 && Math.abs(x - summit) < (y - top) * 0.72;
  });
  return [under ? peaks : disc, 1];
}

/**
 * Draws the logo with its centre at (x, y) of a square of `side` pixels and with the given radius. RGBA in floats, alpha 0–1, not
 * multiplied; where nothing is, the colour is that of the ring.
 */
export function drawLogo(logo: Logo, side: number, x: number, y: number, radius: number): Float32Array {
  const out = new Float32Array(side * side * 4);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const sums = [0, 0, 0, 0];
      for (let sample = 0; sample < finer ** 2; sample++) {
        const across = column + ((sample % finer) + 0.5) / finer - x;
        const down = row + (Math.floor(sample / finer) + 0.5) / finer - y;
        const [colour, alpha] = at(logo, across / radius, down / radius);
        for (let channel = 0; channel < 3; channel++)
          sums[channel] = (sums[channel] ?? 0) + alpha * (colour[channel] ?? 0);
        sums[3] = (sums[3] ?? 0) + alpha;
      }
      const [alpha = 0] = sums.slice(3);
      for (let channel = 0; channel < 3; channel++) {
        out[(row * side + column) * 4 + channel] =
          alpha === 0 ? (logo.peaks[channel] ?? 0) : (sums[channel] ?? 0) / alpha;
      }
      out[(row * side + column) * 4 + 3] = alpha / finer ** 2;
    }
  }
  return out;
}
