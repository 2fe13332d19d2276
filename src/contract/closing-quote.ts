const backslash = 92;

/** Index of the quote that ends the JSON string whose text begins at `from`; -1 where none does. */
export function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (at - escapes > from && text.charCodeAt(at - escapes - 1) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}
