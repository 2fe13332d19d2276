import type { Random } from "ale/contract/random";

/** Smooth values in [0, 1) over the grid: a random lattice, interpolated bilinearly. */
export function noiseField(random: Random, width: number, height: number, spacing: number): Float64Array {
  const columns = Math.ceil(width / spacing) + 2;
  const rows = Math.ceil(height / spacing) + 2;
  const lattice = Float64Array.from({ length: columns * rows }, () => random.next());
  const field = new Float64Array(width * height);
  for (let row = 0; row < height; row++) {
    const y = row / spacing;
    const top = Math.floor(y);
    for (let column = 0; column < width; column++) {
      const x = column / spacing;
      const left = Math.floor(x);
      const at = top * columns + left;
      const above = lerp(lattice[at] as number, lattice[at + 1] as number, x - left);
      const below = lerp(lattice[at + columns] as number, lattice[at + columns + 1] as number, x - left);
      field[row * width + column] = lerp(above, below, y - top);
    }
  }
  return field;
}

function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
