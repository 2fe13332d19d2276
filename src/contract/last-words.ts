/** A frame of a stack, a mark below a line of code, or what Node says last of itself: none tells what went wrong. */
const noise = /^(at\s.*|\^[\^~]*|Node\.js v\d[\d.]*|[{}[\](),;]*)$/;

/**
 * The last line of a program's standard error that tells something; empty where none does. Of an uncaught error with its
 * stack, the line with the error.
 * @param maxChars longer lines are cut, with a mark.
 */
export function lastWords(text: string, maxChars = 300): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  // Node prints an error's own fields between its stack and its last words.
  const stack = lines.findLastIndex((line) => /^at\s.*\{$/.test(line));
  const end = stack < 0 ? -1 : lines.indexOf("}", stack);
  const told = end < 0 ? lines : lines.toSpliced(stack, end - stack + 1);
  const line = told.findLast((part) => !noise.test(part)) ?? "";
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
