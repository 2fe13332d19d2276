/** Millimetres in a unit of CSS; a number without one is a pixel. */
const millimetres: Readonly<Record<string, number>> = {
  "": 25.4 / 96,
  px: 25.4 / 96,
  mm: 1,
  cm: 10,
  in: 25.4,
  pt: 25.4 / 72,
  pc: 25.4 / 6,
  q: 0.25,
};

/** `297mm` in millimetres; `undefined` for what is no absolute length. */
export function lengthInMillimetres(text: string): number | undefined {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = millimetres[match?.[2]?.toLowerCase() ?? "none"];
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit;
}
