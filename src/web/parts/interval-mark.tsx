import type { ReactNode } from "react";

/** A share with its interval on a line from 0 to 1. The numbers stand beside it, so it is hidden from readers aloud. */
export function IntervalMark({
  value,
  low,
  high,
}: {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}): ReactNode {
  if (value === null) return null;
  const at = (share: number): number => 4 + share * 192;
  return (
    <svg className="interval" viewBox="0 0 200 20" aria-hidden="true">
      <line x1="4" x2="196" y1="10" y2="10" />
      {low === null || high === null ? null : (
        <rect x={at(low)} y="5" width={Math.max(1, (high - low) * 192)} height="10" rx="2" />
      )}
      <circle cx={at(value)} cy="10" r="4" />
    </svg>
  );
}
