import { closingQuote } from "./closing-quote.ts";

const deepest = 200;

const quote = 34;

/** Whether JSON text is nested so deep that walking it could exhaust the stack; nothing real is. */
export function isDeeplyNested(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = closingQuote(text, at + 1);
      if (at < 0) return false;
    } else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}
