/** Characters that act on a terminal instead of being seen: all controls but tab and line ends. */
const acting = /(?!\r\n|[\t\n])\p{Cc}/gu;

/**
 * The text with what acts on a terminal spelled out, as `\u001b`: agents, models and servers have a say in much of what is
 * printed. JSON stays the same JSON.
 */
export function plainText(text: string): string {
  return text.replaceAll(
    acting,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
