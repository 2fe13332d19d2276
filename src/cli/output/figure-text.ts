import type { Figure } from "../../board/views/figure.ts";

/** A figure as `12.3 [10.1, 14.5]`, or `unknown`; `format` writes one number. */
export function figureText(figure: Figure, format: (value: number) => string): string {
  if (figure.value === null) return "unknown";
  if (figure.low === null || figure.high === null) return format(figure.value);
  return `${format(figure.value)} [${format(figure.low)}, ${format(figure.high)}]`;
}

/** A share as points with one decimal: `38.2`. */
export function points(share: number): string {
  return (share * 100).toFixed(1);
}
