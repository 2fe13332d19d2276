import { closingQuote } from "../../contract/closing-quote.ts";

/** Takes out of a body what must not be kept. */
export type BodyRedaction = (text: string) => string;

const redacted = "[redacted]";

/** Keys that look like keys, whoever they belong to. No longer than keys are: a match without a bound can exhaust the stack. */
const keyShapes: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{20,400}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,400}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
];

/** Fields that tell a person or a machine apart, as clients send them of their own accord; up to their value. */
const personalField =
  /"(?:user_id|user|safety_identifier|prompt_cache_key|device_id|account_uuid)"\s{0,20}:\s{0,20}"/g;

/** A rule over the given secrets, key-like texts and fields about the user. Other content is left as it is. */
export function createBodyRedaction(secrets: readonly string[]): BodyRedaction {
  const longestFirst = secrets
    .filter((secret) => secret.length >= 8)
    .sort((first, second) => second.length - first.length);
  return (text) => {
    let result = text;
    for (const secret of longestFirst) result = result.replaceAll(secret, redacted);
    for (const shape of keyShapes) result = result.replaceAll(shape, redacted);
    return withoutPersonal(result);
  };
}

function withoutPersonal(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const found of text.matchAll(personalField)) {
    const start = found.index + found[0].length;
    const end = closingQuote(text, start);
    if (found.index < from || end < 0) continue;
    pieces.push(text.slice(from, start), redacted);
    from = end;
  }
  return pieces.join("") + text.slice(from);
}
