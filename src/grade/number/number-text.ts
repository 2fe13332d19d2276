/** Significant digits shown where nothing asks for more, and those that tell any two doubles apart. */
const digits = { usual: 6, most: 17 };

/**
 * A number as it may stand in a message: six significant digits, the whole part and two decimals at the least, and as many
 * more as it takes until the number shown `agrees` with what is said of it. The same number always gives the same text.
 * @param agrees whether the outcome would be the same for the number as it is shown: a near miss must not look like a hit.
 */
export function numberText(value: number, agrees: (shown: number) => boolean = () => true): string {
  return numberTexts([value], ([shown = value]) => agrees(shown))[0] ?? String(value);
}

/** Several numbers that are compared, with the same number of digits; otherwise as {@link numberText}. */
export function numberTexts(
  values: readonly number[],
  agrees: (shown: readonly number[]) => boolean,
): readonly string[] {
  for (let more = 0; digits.usual + more < digits.most; more++) {
    const shown = values.map((value) => rounded(value, more));
    if (agrees(shown)) return shown.map(String);
  }
  return values.map(String);
}

function rounded(value: number, more: number): number {
  if (!Number.isFinite(value)) return value;
  const whole = Math.floor(Math.log10(Math.max(Math.abs(value), 1))) + 1;
  const least = Math.max(digits.usual, whole + 2);
  return Number(value.toPrecision(Math.min(least + more, digits.most)));
}
