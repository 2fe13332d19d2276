/** `1234.56` from cents. */
export function formatMoney(cents: number): string {
  const absolute = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, "0")}`;
}

/** `-1.234,56` from cents, as the second bank writes amounts. */
export function formatGermanMoney(cents: number): string {
  const [whole = "", part = ""] = formatMoney(Math.abs(cents)).split(".");
  return `${cents < 0 ? "-" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, ".")},${part}`;
}

/** Cents from `1234.56`, `1,234.56` or `1234.5`; undefined for anything that is no amount of whole cents. */
export function parseMoney(text: string): number | undefined {
  const bare = text.trim().replace(/(?<=\d),(?=\d{3}(\D|$))/g, "");
  if (!/^-?\d{1,12}(\.\d{1,4})?$/.test(bare)) return undefined;
  const cents = Math.round(Number(bare) * 100);
  return Math.abs(Number(bare) * 100 - cents) < 1e-4 ? cents : undefined;
}
