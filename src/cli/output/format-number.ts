/** `0.382` as `38.2%`. */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** Milliseconds as `850 ms`, `12.3 s`, `4 min 05 s`, `2 h 03 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${twoDigits(Math.floor(seconds % 60))} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** US dollars: cents below a hundred dollars, whole dollars above. */
export function formatDollars(value: number): string {
  return value < 100 ? `$${value.toFixed(2)}` : `$${Math.round(value)}`;
}
