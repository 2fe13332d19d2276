/** `38.2%`, or a dash for what is not known. */
export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? "–" : `${(share * 100).toFixed(1)}%`;
}

/** `[30.8, 46.1]`, in percent. */
export function interval(low: number | null, high: number | null): string {
  return low === null || high === null ? "" : `[${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]`;
}

export function dollars(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return "–";
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

/** `950`, `12.3k`, `4.20M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1e6 ? `${(count / 1e3).toFixed(1)}k` : `${(count / 1e6).toFixed(2)}M`;
}

/** `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ["kB", "MB", "GB"];
  let value = count / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** `2026-11-29 15:04` in the reader's time zone. */
export function dateTime(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  const date = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function score(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toFixed(3);
}
