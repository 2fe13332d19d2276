import type { Easing } from "../cue-sheet.ts";

/** How much of the way is done after a share `u` of the time, both in [0, 1]; `out-back` goes beyond on its way. */
export function ease(easing: Easing, u: number): number {
  switch (easing) {
    case "linear":
      return u;
    case "in-cubic":
      return u ** 3;
    case "out-cubic":
      return 1 - (1 - u) ** 3;
    case "in-out-cubic":
      return u < 0.5 ? 4 * u ** 3 : 1 - (2 - 2 * u) ** 3 / 2;
    case "in-out-sine":
      return (1 - Math.cos(Math.PI * u)) / 2;
    case "out-back":
      return 1 + 2.70158 * (u - 1) ** 3 + 1.70158 * (u - 1) ** 2;
  }
}
