/**
 * A glob over instance ids: `*` is any text without `/` and `@`, `**` any text, `?` one character, `{a,b}` either.
 * A pattern without `@` takes every variant: `legal/*` is `legal/*@*`.
 */
export function instanceGlob(pattern: string): (instance: string) => boolean {
  const whole = pattern.includes("@") || pattern.endsWith("**") ? pattern : `${pattern}@*`;
  let depth = 0;
  const source = whole.replaceAll(/\*\*|[*?{},]|[^*?{},]+/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/@]*";
    if (part === "?") return "[^/@]";
    if (part === "{") {
      depth++;
      return "(?:";
    }
    if (part === "}" && depth > 0) {
      depth--;
      return ")";
    }
    if (part === "," && depth > 0) return "|";
    return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  const closed = source + ")".repeat(depth);
  const expression = new RegExp(`^${closed}$`);
  return (instance) => expression.test(instance);
}
