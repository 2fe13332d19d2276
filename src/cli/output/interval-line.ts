/**
 * A value with its interval as text, on a line of `width` characters from `from` to `to`: `  ──●───  `. Empty without a
 * value; the value alone without an interval.
 */
export function intervalLine(
  value: number | null,
  low: number | null,
  high: number | null,
  { from, to, width }: { readonly from: number; readonly to: number; readonly width: number },
): string {
  if (value === null) return "";
  const at = (number: number): number => {
    const share = to > from ? (number - from) / (to - from) : 0.5;
    return Math.min(width - 1, Math.max(0, Math.round(share * (width - 1))));
  };
  const [start, end] = [at(low ?? value), at(high ?? value)];
  return Array.from({ length: width }, (_, column) => {
    if (column === at(value)) return "●";
    return column >= start && column <= end ? "─" : "·";
  }).join("");
}
