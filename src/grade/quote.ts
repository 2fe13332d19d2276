const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/**
 * Untrusted text as it may stand in a message: in double quotes, control and invisible characters escaped,
 * cut after `limit` characters (default 80) with a mark.
 */
export function quote(text: string, limit = 80): string {
  const cut = text.length > limit;
  const head = JSON.stringify(cut ? text.slice(0, limit) : text).replace(unprintable, escapeCharacter);
  return cut ? `${head}…` : head;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
